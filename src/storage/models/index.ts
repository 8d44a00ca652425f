export { openEmbedder, type EmbedderSource, type ServiceSettings } from './open-embedder.ts';
export { ModelRefusal } from './model-refusal.ts';
