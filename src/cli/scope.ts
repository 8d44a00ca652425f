import { Command } from 'commander';
import type { z } from 'zod';
import type { OperatorStatus } from '../rules/operator/schema.ts';
import { askOperator } from './operator/client.ts';
import { columns, report } from './operator/report.ts';

type Scope = z.output<typeof OperatorStatus>['scopes'][number];
interface Flags {
  readonly json?: true;
}

/** `cairn scope create|list`: thin clients of the operator's socket. */
export function scopeCommand(): Command {
  const scope = new Command('scope').description('the scopes of rules, on the running server of this data folder');
  scope
    .command('create')
    .description('make the file of a scope that the configuration names')
    .argument('<name>', 'the scope')
    .option('--json', 'print the answer as JSON')
    .action(create);
  scope
    .command('list')
    .description('every scope of the configuration, and whether it can be used')
    .option('--json', 'print the answer as JSON')
    .action(list);
  return scope;
}

async function create(name: string, { json }: Flags): Promise<void> {
  const answer = await askOperator('createScope', { body: { name } });
  report(answer, json ?? false, ({ created }) =>
    created === true ? `scope ${name} is there now\n` : `scope ${name} was there already\n`,
  );
}

async function list({ json }: Flags): Promise<void> {
  const { ok, body } = await askOperator('status');
  const answer = ok ? { ok, body: { scopes: body['scopes'] } } : { ok, body };
  report(answer, json ?? false, ({ scopes }) => columns((scopes as Scope[]).map(row)));
}

const row = ({ scope, locked, lock_reason, version_count }: Scope): string[] => [
  scope,
  locked ? `locked: ${lock_reason}` : 'open',
  version_count === null ? '' : `${version_count} rule versions`,
];
