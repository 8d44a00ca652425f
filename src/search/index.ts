export { rounded } from './abstain.ts';
export { parseFilter, type FilterProblem } from './filter.ts';
export { retrieve, type RankedHit, type Retrieved, type RetrieveRequest, type SearchLanes } from './retrieve.ts';
export { snippetOf } from './snippet.ts';
export { termsOf } from './terms.ts';
