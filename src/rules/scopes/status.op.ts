import type { Scopes } from '../ports.ts';
import { defineRuleOp } from '../rule-op.ts';
import type { LaterStages } from '../search/stages/ports.ts';
import { look } from './look.ts';
import { Nothing, StatusOut, type Check } from './schema.ts';

export interface StatusDeps {
  readonly stages?: LaterStages;
  readonly scopes: Scopes;
  readonly instance: string;
  readonly zone: string;
  readonly version: string;
}

/** The instance and the scopes of the caller's grant. */
export const statusOp = defineRuleOp({
  name: 'status',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'status',
  summary: 'Tell how the instance and your scopes stand.',
  input: Nothing,
  output: StatusOut,
  touches: () => 'granted' as const,
  async run({ scopes, stages = {}, instance, zone, version }: StatusDeps, { grant }) {
    const seen = await Promise.all(grant.scopes.map(scope => look(scopes, scope)));
    const checked = await Promise.all(
      seen.map(async one => ({
        ...one,
        checks: [openCheck(one), ...(one.locked ? [] : await fillingCheck(scopes, one.scope))],
      })),
    );
    return {
      status: 200,
      output: {
        instance,
        zone,
        version,
        stages: { b: stages.b ? ('on' as const) : ('off' as const), c: stages.c ? ('on' as const) : ('off' as const) },
        scopes: checked,
      },
      log: seen.filter(({ locked }) => !locked).map(({ scope }) => ({ scope, refs: [] })),
    };
  },
});

async function fillingCheck(scopes: Scopes, scope: string): Promise<Check[]> {
  const filled = await scopes.filling(scope);
  if (filled === null) return [];
  const message = `search tables are being filled anew: ${Math.floor(filled * 100)} %`;
  return [{ id: 'search-tables', status: 'warn', message, remedy: null }];
}

const openCheck = ({ created, locked }: { readonly created: boolean; readonly locked: boolean }): Check => {
  if (!locked) return { id: 'scope-open', status: 'ok', message: 'the scope is open', remedy: null };
  const remedy = created ? 'restore its file from a backup and start again' : 'create it: cairn scope create';
  return {
    id: 'scope-open',
    status: 'warn',
    message: created ? 'the scope is locked' : 'the scope does not exist yet',
    remedy,
  };
};
