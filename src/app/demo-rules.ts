import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GrantIdentity } from '../kernel/principal.ts';
import { agentRules } from './agent.ts';
import { decidingOp } from './approval.ts';
import type { Rules } from './rules.ts';

/** A rule of the demo: its id is the name of its file, `decision` is null where a person is to decide. */
interface DemoRule {
  readonly id: string;
  readonly proposal: { readonly scope: string; readonly source: { readonly quote: string } };
  readonly decision: object | null;
}

export interface DemoOptions {
  /** Holds `sources/*.json`, each the body of a request, and `proposals/<rule id>.json`. */
  readonly folder: string;
  /** E-mail of the person who proposes and decides; has a grant for every configured scope. */
  readonly identity: string;
  readonly version: string;
}

/**
 * Makes every configured scope that was never made, and lets a person read, propose and decide in all of them, unless there ever
 * was a grant for them.
 */
export async function openScopesFor({ files, grants, settings, clock }: Rules, identity: string): Promise<void> {
  for (const scope of settings.scopes) if (!files.state(scope).created) files.create(scope);
  if ((await grants.list()).some(grant => grant.identity === identity)) return;
  await grants.add(
    {
      kind: 'person',
      auth: 'email',
      identity,
      scopes: [...settings.scopes],
      rights: ['read', 'propose', 'decide'],
      label: 'Local start',
    },
    clock(),
  );
}

/**
 * Plays the demo through the ops that callers use. A scope with rules of its own is left alone; a start that was cut short is
 * completed by the next. Scopes that are not configured, or locked, get none.
 */
export async function seedDemoRules(rules: Rules, { folder, identity, version }: DemoOptions): Promise<void> {
  const grant = await rules.grants.find('email', identity);
  if (!grant) return;
  const who: GrantIdentity = { auth: 'email', identity };
  const agent = await agentRules(rules, version).access.enter(who);
  const decide = decidingOp(rules);
  const usable = (scope: string): boolean => grant.scopes.includes(scope) && rules.files.state(scope).lock === null;

  const demo = await readDemoRules(folder);
  for (const scope of new Set(demo.rules.map(({ proposal }) => proposal.scope))) {
    const all = demo.rules.filter(({ proposal }) => proposal.scope === scope);
    if (!usable(scope) || !(await isOpen(rules, scope, all))) continue;
    for (const source of demo.sources) if (source.scope === scope) await agent.call('store_source', source);
    for (const { id, proposal, decision } of all) {
      const known = await rules.rules.find(scope, id);
      if (!known) await agent.call('propose_rule', proposal);
      if (decision === null || (known && known.current.status !== 'proposed')) continue;
      await rules.call(decide, { grant, channel: 'approval' }, { id, body: decision });
    }
  }
}

/** Whether the scope holds the beginning of the demo and no rule of anyone else, and is not complete. */
async function isOpen({ rules }: Rules, scope: string, demo: readonly DemoRule[]): Promise<boolean> {
  const statuses = ['proposed', 'confirmed', 'superseded', 'rejected'] as const;
  const stored = await rules.list(scope, { statuses, limit: demo.length + 1 });
  const begun = stored.every(({ current }, at) => {
    const expected = demo[at];
    return current.ruleId === expected?.id && current.quote === expected.proposal.source.quote;
  });
  const last = stored.at(-1);
  const settled =
    stored.length === demo.length && (demo.at(-1)!.decision === null || last!.current.status !== 'proposed');
  return begun && !settled;
}

async function readDemoRules(
  folder: string,
): Promise<{ readonly sources: readonly { readonly scope: string }[]; readonly rules: readonly DemoRule[] }> {
  const sources = await readFolder<{ readonly scope: string }>(join(folder, 'sources'));
  const rules = await readFolder<Omit<DemoRule, 'id'>>(join(folder, 'proposals'));
  return { sources: sources.map(({ body }) => body), rules: rules.map(({ name, body }) => ({ id: name, ...body })) };
}

/** Every `<name>.json`, by name. */
async function readFolder<T>(folder: string): Promise<readonly { readonly name: string; readonly body: T }[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async file => ({
      name: file.slice(0, -'.json'.length),
      body: JSON.parse(await readFile(join(folder, file), 'utf8')) as T,
    })),
  );
}
