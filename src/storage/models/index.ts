export { addModel, type Installed } from './install/add-model.ts';
export { getModel } from './install/get-model.ts';
export { ModelRefusal } from './model-refusal.ts';
export { openEmbedder, type EmbedderSource, type ServiceSettings } from './open-embedder.ts';
