import type { Db } from '../scopes/connect.ts';

export interface RememberedScope {
  readonly createdAt: string;
  /** At least so many rule versions the file had. */
  readonly versionCount: number;
}

/** What ops.sqlite knows of the scope files, so that a loss is noticed (contract 1.7, 4.3). */
export interface ScopeMemory {
  of(scope: string): RememberedScope | undefined;
  /** Raises the count, never lowers it; a scope not seen before is remembered from now on. */
  remember(scope: string, seen: RememberedScope, at: Date): void;
}

export function scopeMemory(ops: Db): ScopeMemory {
  const find = ops.prepare<[scope: string], RememberedScope>(
    'SELECT created_at AS createdAt, version_count AS versionCount FROM backup_state WHERE scope = ?',
  );
  const raise = ops.prepare(`
    INSERT INTO backup_state (scope, created_at, version_count, counted_at)
    SELECT @scope, @createdAt, @versionCount, @at
    WHERE NOT EXISTS (SELECT 1 FROM backup_state WHERE scope = @scope AND version_count >= @versionCount)
    ON CONFLICT (scope) DO UPDATE SET version_count = excluded.version_count, counted_at = excluded.counted_at`);
  return {
    of: scope => find.get(scope),
    remember(scope, { createdAt, versionCount }, at) {
      raise.run({ scope, createdAt, versionCount, at: at.toISOString() });
    },
  };
}
