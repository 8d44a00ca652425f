export { describeValues, valueText, type Described } from './describe.ts';
export type { Address } from './kinds-address.ts';
export { KEYS, rowOf, SERIES, variablesOf, type Key } from './names.ts';
export { PARTS } from './parts.ts';
export { readSettings, type Reading } from './read.ts';
export { REFUSAL_CODES, type Refusal, type Warning } from './refusal.ts';
export { inFolder, type Settings } from './settings.ts';
