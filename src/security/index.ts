export { annotateForeign } from './annotate.ts';
export { renderPagesForModel, renderResultForModel } from './model-output.ts';
