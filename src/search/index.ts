export { parseFilter, type FilterProblem } from './filter.ts';
export { retrieve, type Retrieved } from './retrieve.ts';
export { snippetOf } from './snippet.ts';
export { termsOf } from './terms.ts';
