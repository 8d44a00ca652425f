import { Command, InvalidArgumentError } from 'commander';
import { RIGHTS } from '../rules/grants/schema.ts';
import type { GrantOut } from '../rules/operator/schema.ts';
import { askOperator, type OpsAnswer } from './operator/client.ts';
import { columns, printable, report } from './operator/report.ts';

interface Flags {
  readonly json?: true;
}
interface AddFlags extends Flags {
  readonly email?: string;
  readonly commonName?: string;
  readonly bearer?: true;
  readonly scopes: readonly string[];
  readonly rights: readonly string[];
  readonly label?: string;
}

/** `cairn grant add|list|rename|disable`: thin clients of the operator's socket. */
export function grantCommand(): Command {
  const grant = new Command('grant').description(
    'who may do what with rules, on the running server of this data folder',
  );
  const command = (usage: string, about: string): Command =>
    grant.command(usage).description(about).option('--json', 'print the answer as JSON');
  command('add', 'let a person or a service in')
    .option('--email <address>', 'a person, by e-mail address')
    .option('--common-name <name>', 'a service, by the common name of its Access token, or its client id')
    .option('--bearer', 'a service, by a token that is made now and printed once')
    .requiredOption('--scopes <names>', 'scopes, separated by commas', listOf)
    .requiredOption(
      '--rights <rights>',
      `of ${RIGHTS.join(', ')}, separated by commas; only a person may decide`,
      rightsOf,
    )
    .option('--label <text>', 'what to call it')
    .action(add);
  command('list', 'every grant, those disabled included').action(list);
  command('rename <id> [label]', 'give a grant another label, or none').action(rename);
  command('disable <id>', 'end a grant for good').action(disable);
  return grant;
}

const listOf = (text: string): string[] => {
  const names = text.split(',').map(name => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('names separated by commas');
  return names;
};

const rightsOf = (text: string): string[] => {
  const rights = listOf(text);
  const known: readonly string[] = RIGHTS;
  if (rights.every(right => known.includes(right))) return rights;
  throw new InvalidArgumentError(`of ${RIGHTS.join(', ')}`);
};

async function add(flags: AddFlags, command: Command): Promise<void> {
  const { email, commonName, bearer, scopes, rights, label, json } = flags;
  const ways = [
    ...(email === undefined ? [] : [{ kind: 'person', auth: 'email', identity: email }]),
    ...(commonName === undefined ? [] : [{ kind: 'service', auth: 'access-service', identity: commonName }]),
    ...(bearer ? [{ kind: 'service', auth: 'bearer' }] : []),
  ];
  if (ways.length !== 1) command.error('error: exactly one of --email, --common-name and --bearer is needed');
  const body = { ...ways[0], scopes, rights, ...(label === undefined ? {} : { label }) };
  const answer = await askOperator('addGrant', { body });
  report(answer, json ?? false, made => {
    const words = `${idOf(made)} is let in\n`;
    if (typeof made['bearer'] !== 'string') return words;
    process.stdout.write(`${made['bearer']}\n`);
    return `${words}its token is printed this once: keep it now\n`;
  });
}

async function list({ json }: Flags): Promise<void> {
  const answer = await askOperator('listGrants');
  report(answer, json ?? false, ({ grants }) => columns((grants as GrantOut[]).map(row)));
}

const row = ({ id, active, identity, fingerprint, scopes, rights, label }: GrantOut): string[] => [
  id,
  active ? 'active' : 'disabled',
  identity ?? fingerprint ?? '',
  scopes.join(','),
  rights.join(','),
  label ?? '',
];

async function rename(id: string, label: string | undefined, { json }: Flags): Promise<void> {
  const answer = await askOperator('renameGrant', { id, body: { label: label ?? null } });
  report(answer, json ?? false, () => `${printable(id)} has ${label === undefined ? 'no label' : 'its new label'}\n`);
}

async function disable(id: string, { json }: Flags): Promise<void> {
  const answer = await askOperator('disableGrant', { id });
  report(answer, json ?? false, () => `${printable(id)} is disabled\n`);
}

const idOf = ({ grant }: OpsAnswer['body']): string => (grant as GrantOut).id;
