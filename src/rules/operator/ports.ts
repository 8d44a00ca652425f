import type { ScopeState } from '../ports.ts';

/** The scopes as whoever runs the instance sees them. */
export interface OperatedScopes {
  /** Those that may exist, in the order of the configuration. */
  readonly configured: readonly string[];
  state(scope: string): Promise<ScopeState>;
  /** Rule versions that the file holds, or held when it was last whole; null for one that was never made. */
  versionCount(scope: string): Promise<number | null>;
  /** `locked`: a file was there once and must not be made anew. */
  create(scope: string): Promise<'created' | 'exists' | 'locked'>;
}
