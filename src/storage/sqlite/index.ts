export { StorageRefusal } from './folder/refusal.ts';
export { openStorage } from './open-storage.ts';
export { STEPS, type Step, type StepHook } from './steps.ts';
export type { Committed, OpenStorageOptions, Storage } from './storage.ts';
