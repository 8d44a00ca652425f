export { synonyms, type Synonyms } from './expansions.ts';
export { synonymsOfText, type SynonymsOfText } from './of-text.ts';
