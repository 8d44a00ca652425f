export { annotateForeign } from './annotate.ts';
export { renderResultForModel } from './model-output.ts';
export { signalsIn } from './signals.ts';
