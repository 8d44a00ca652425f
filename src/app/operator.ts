import { realpathSync } from 'node:fs';
import { startOpsSocket, type RunningOpsSocket } from '../http/ops-socket/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { ulids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { withDeps, type BoundOp } from '../kernel/op.ts';
import type { RulesSettings } from '../kernel/settings/index.ts';
import type { GrantStore } from '../rules/grants/ports.ts';
import { addGrant } from '../rules/operator/add-grant.op.ts';
import { createScope } from '../rules/operator/create-scope.op.ts';
import { disableGrant } from '../rules/operator/disable-grant.op.ts';
import { listGrants } from '../rules/operator/list-grants.op.ts';
import { operatorStatus } from '../rules/operator/operator-status.op.ts';
import type { OperatedScopes } from '../rules/operator/ports.ts';
import { renameGrant } from '../rules/operator/rename-grant.op.ts';
import type { ScopeMemory } from '../storage/sqlite/ops-file/scope-memory.ts';
import type { ScopeFiles } from '../storage/sqlite/scopes/files.ts';

export interface OperatorParts {
  readonly rules: RulesSettings;
  readonly tenant: string;
  /** Absolute; it is there. */
  readonly dataDir: string;
  /** Version of the package. */
  readonly version: string;
  readonly grants: GrantStore;
  readonly files: Pick<ScopeFiles, 'state' | 'create'>;
  readonly memory: Pick<ScopeMemory, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RunningOperator {
  stop(): Promise<void>;
}

const GRACE_MS = 5_000;

/** Serves whoever runs the instance, on the socket in the data folder. Rejects with a StartRefusal. */
export async function startOperator(parts: OperatorParts): Promise<RunningOperator> {
  const { rules, tenant, dataDir, clock, log } = parts;
  const socket: RunningOpsSocket = await startOpsSocket({
    dataDir,
    token: rules.opsToken,
    ops: operatorOps(parts),
    tenant,
    log,
    now: clock,
    nextId: ulids(clock),
  });
  return { stop: () => socket.stop(GRACE_MS) };
}

function operatorOps({ rules, dataDir, version, grants, files, memory, clock }: OperatorParts): BoundOp[] {
  const scopes: OperatedScopes = {
    configured: rules.scopes,
    state: async scope => files.state(scope),
    create: async scope => files.create(scope),
    versionCount: async scope => memory.of(scope)?.versionCount ?? null,
  };
  const { kind, directory, exportDirectory } = rules.backup;
  return [
    withDeps(operatorStatus, {
      scopes,
      instance: rules.instance,
      version,
      startedAt: clock(),
      dataDir: realpathSync(dataDir),
      backup: { kind, directory, export_directory: exportDirectory },
    }),
    withDeps(listGrants, { grants }),
    withDeps(addGrant, { grants, scopes }),
    withDeps(renameGrant, { grants }),
    withDeps(disableGrant, { grants }),
    withDeps(createScope, { scopes }),
  ];
}
