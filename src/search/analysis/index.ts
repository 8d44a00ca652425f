export { splitCompound } from './compounds.ts';
export { editDistance } from './distance.ts';
export { keyOf } from './keys.ts';
export { germanWords } from './lexicon.ts';
