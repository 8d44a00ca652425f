/** What a text can hold that was written for a model and not for people (rules-gaps 7). Warnings: they refuse nothing. */
export const SIGNALS = [
  'instruction',
  'role-marker',
  'tool-marker',
  'frame-marker',
  'hidden-characters',
  'bidi-characters',
  'encoded-blob',
] as const;
export type Signal = (typeof SIGNALS)[number];
