export { analysisOf, createAnalysis, wordsAlone, type Analysis, type IndexedTexts } from './analysis.ts';
export { startsAt } from './prefix.ts';
export { lexicalSettings, SUB_QUERIES, type LexicalSettings, type SubQuery } from './settings.ts';
export { folded, wordsOf } from './words.ts';
