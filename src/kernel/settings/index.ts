export { sourceText, type Source } from './candidate.ts';
export { addressText, describeValues, valueText, type Described } from './describe.ts';
export type { Address } from './kinds-address.ts';
export { KEYS, rowOf, SERIES, SETTINGS, variablesOf, type Key } from './names.ts';
export { PARTS } from './parts.ts';
export { readSettings, type Reading, type SettingsInput } from './read.ts';
export { REFUSAL_CODES, type Refusal, type RefusalCode, type Warning } from './refusal.ts';
export type { AuthSettings, DevSettings, OidcSettings, Settings } from './settings.ts';
