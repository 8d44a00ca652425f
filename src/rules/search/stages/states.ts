import type { StageState } from '../schema.ts';

export const OFF: StageState = { state: 'off', duration_ms: null, reason: 'disabled in config' };

/** Why a scope never hands its texts to a provider. */
export const notAllowed = (provider: string): StageState => ({
  state: 'not-allowed',
  duration_ms: null,
  reason: `provider ${provider} is not allowed in this scope`,
});

export const failed = (reason: string): StageState => ({ state: 'failed', duration_ms: null, reason });

/** Best news first. */
const ORDER: readonly StageState['state'][] = ['ran', 'budget', 'failed', 'not-allowed', 'off'];

/** One state for an answer about several scopes: that it ran when it ran anywhere, with all its time. */
export function together(states: readonly StageState[]): StageState {
  const [first = OFF] = states.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  if (first.state !== 'ran') return first;
  const times = states.flatMap(({ state, duration_ms: ms }) => (state === 'ran' && ms !== null ? [ms] : []));
  return { ...first, duration_ms: times.reduce((sum, ms) => sum + ms, 0) };
}
