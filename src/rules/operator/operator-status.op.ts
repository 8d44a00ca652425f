import { z } from 'zod';
import { defineOperatorOp } from './operator-op.ts';
import type { OperatedScopes } from './ports.ts';
import { OperatorStatus } from './schema.ts';

export interface OperatorStatusDeps {
  readonly scopes: OperatedScopes;
  readonly instance: string;
  readonly version: string;
  readonly startedAt: Date;
  /** Links resolved. */
  readonly dataDir: string;
  readonly backup: Pick<OperatorStatus['backup'], 'kind' | 'directory' | 'export_directory'>;
}

const NO_BACKUP_YET = { running: null, ops_backup_at: null, last_run: null, last_probe: null } as const;
const NEVER_BACKED_UP = {
  last_backup_at: null,
  verified_at: null,
  verify_ok: null,
  probed_at: null,
  probe_ok: null,
  exported_at: null,
  export_sha256: null,
} as const;

/** The instance and every configured scope, in the order of the configuration. */
export const operatorStatus = defineOperatorOp({
  name: 'operator_status',
  effect: 'read',
  summary: 'Tell how the instance and its scopes stand.',
  input: z.object({}).strict(),
  output: OperatorStatus,
  async run({ scopes, instance, version, startedAt, dataDir, backup }: OperatorStatusDeps, { now }) {
    const seen = scopes.configured.map(async scope => {
      const { created, lock } = await scopes.state(scope);
      const version_count = await scopes.versionCount(scope);
      return { scope, created, locked: lock !== null, lock_reason: lock, version_count, ...NEVER_BACKED_UP };
    });
    return {
      service: 'groundnote' as const,
      instance,
      version,
      started_at: startedAt.toISOString(),
      now: now().toISOString(),
      data_dir: dataDir,
      backup: { ...backup, ...NO_BACKUP_YET },
      scopes: await Promise.all(seen),
    };
  },
});
