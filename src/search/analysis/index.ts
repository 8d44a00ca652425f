export { splitCompound } from './compounds.ts';
export { plain } from './fold.ts';
export { editDistance } from './distance.ts';
export { keyOf } from './keys.ts';
export { germanWords } from './lexicon.ts';
export { STOP_WORDS } from './stop-words.ts';
