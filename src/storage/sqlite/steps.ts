/**
 * Every place at which a page write can be cut short, in the order of one write. The hook is called right after the named
 * thing happened; crash tests end the process there, or throw.
 */
export const STEPS = [
  'state.begin',
  'state.insert',
  'state.commit',
  'state.fsync',
  'index.begin',
  'acknowledge',
  'index.commit',
  'publish.write',
  'publish.fsync',
  'publish.rename',
  'publish.record',
  'outbox.cursor',
] as const;

export type Step = (typeof STEPS)[number];
export type StepHook = (step: Step) => void;
