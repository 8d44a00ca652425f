export { annotateForeign } from './annotate.ts';
export { renderResultForModel } from './model-output.ts';
