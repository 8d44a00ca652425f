import type { ScopeCounts, Scopes } from '../ports.ts';

/** A scope as it stands; counts only when it can be opened. */
export async function look(scopes: Scopes, scope: string) {
  const { created, lock } = await scopes.state(scope);
  const counts: ScopeCounts | null = lock === null ? await scopes.counts(scope) : null;
  return {
    scope,
    created,
    locked: lock !== null,
    lock_reason: lock,
    counts: counts && { proposed: counts.proposed, confirmed: counts.confirmed, superseded: counts.superseded },
    last_write: counts?.lastWrite ?? null,
  };
}
