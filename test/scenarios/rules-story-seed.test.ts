import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentRules } from '../../src/app/agent.ts';
import { openScopesFor, seedDemoRules } from '../../src/app/demo-rules.ts';
import { bringsRules, withDevRules } from '../../src/app/dev-rules.ts';
import { openRules, type Rules } from '../../src/app/rules.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { readSettings } from '../../src/kernel/settings/index.ts';
import { decidingOp } from '../../src/app/approval.ts';

const DEMO = join(import.meta.dirname, '../../examples/rules');
const ME = 'dev@localhost';
const SECRETS = { session: 's'.repeat(40), ops: 'o'.repeat(40) };
const ALL = ['proposed', 'confirmed', 'superseded', 'rejected'] as const;

let folder: string;
let rules: Rules;
const open = (): Rules => {
  const env = { CAIRN_AUTH_MODE: 'dev-token', CAIRN_DEV_IDENTITY: ME, CAIRN_DEV_MCP_TOKEN: 'm'.repeat(40) };
  const reading = readSettings({ env, cwd: folder, readFile: () => undefined });
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusals));
  expect(bringsRules(reading.settings)).toBe(true);
  const settings = withDevRules(reading.settings, SECRETS, 8080).rules!;
  return openRules({ settings, dataDir: folder, clock: systemClock, log: pino({ level: 'silent' }) });
};
const seed = (): Promise<void> => seedDemoRules(rules, { folder: DEMO, identity: ME, version: '0.0.0' });

/** Every version, decision and source there is, so that any change shows. */
const everything = (): unknown =>
  rules.settings.scopes.map(scope =>
    ['rule_version', 'decision', 'source', 'source_segment', 'source_attachment'].map(table =>
      rules.files.open(scope).prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    ),
  );
const idsIn = async (scope: string): Promise<string[]> =>
  (await rules.rules.list(scope, { statuses: ALL, limit: 200 })).map(({ current }) => current.ruleId);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-demo-rules-'));
  rules = open();
  await openScopesFor(rules, ME);
});
afterEach(() => {
  rules.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a first start has two scopes, a person for both, and rules in all four states', async () => {
  await seed();
  const [grant, ...more] = await rules.grants.list();
  expect(more).toEqual([]);
  expect(grant).toMatchObject({
    kind: 'person',
    identity: ME,
    scopes: ['vertrieb', 'technik'],
    rights: ['read', 'propose', 'decide'],
  });
  for (const scope of rules.settings.scopes) {
    const found = await rules.rules.list(scope, { statuses: ALL, limit: 200 });
    expect(new Set(found.map(({ current }) => current.status))).toEqual(new Set(ALL));
  }
  const decisions = await rules.rules.decisions('technik', 'technik-0003');
  expect(decisions).toMatchObject([{ kind: 'confirm', decided_by: grant!.id, decided_by_identity: ME }]);
});

test('every later start leaves things as they are, also what a person has decided since', async () => {
  await seed();
  const grant = (await rules.grants.find('email', ME))!;
  const body = { decision: 'confirm', version: 1 };
  await rules.call(decidingOp(rules), { grant, channel: 'approval' }, { id: 'technik-0009', body });
  const before = everything();
  rules.close();
  rules = open();
  await openScopesFor(rules, ME);
  await seed();
  expect(everything()).toEqual(before);
});

test('a start that was cut short is completed by the next', async () => {
  await seed();
  const whole = await Promise.all(rules.settings.scopes.map(idsIn));
  const writes = rules.files.open('technik').prepare('SELECT count(*) FROM rule_version').pluck().get() as number;
  expect(writes).toBeGreaterThan(15);
  for (const calls of [1, 5, 12, 20]) {
    rules.close();
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), 'cairn-demo-rules-'));
    rules = open();
    await openScopesFor(rules, ME);
    let left = calls;
    const dying: Rules = {
      ...rules,
      call: async (...call) => {
        if (left-- === 0) throw new Error('killed');
        return rules.call(...call);
      },
    };
    await expect(seedDemoRules(dying, { folder: DEMO, identity: ME, version: '0.0.0' })).rejects.toThrow('killed');
    await seed();
    expect(await Promise.all(rules.settings.scopes.map(idsIn))).toEqual(whole);
    expect(rules.files.open('technik').prepare('SELECT count(*) FROM rule_version').pluck().get()).toBe(writes);
  }
});

test('a scope with rules of its own is left alone', async () => {
  const agent = await agentRules(rules, '0.0.0').access.enter({ auth: 'email', identity: ME });
  await agent.call('propose_rule', {
    scope: 'vertrieb',
    kind: 'rule',
    statement: 'Angebote gelten dreißig Tage.',
    source: { kind: 'manual', quote: 'Unsere Angebote gelten dreißig Tage.', link: null },
    said_at: '2026-01-05T09:00:00Z',
    speaker: null,
    relations: [],
    keywords: ['Angebot'],
    valid_from: '2026-01-05',
    supersedes: null,
  });
  await seed();
  expect(await idsIn('vertrieb')).toEqual(['vertrieb-0001']);
  expect((await idsIn('technik')).length).toBeGreaterThan(5);
});

test('who was let out stays out', async () => {
  const grant = (await rules.grants.find('email', ME))!;
  await rules.grants.disable(grant.id, new Date());
  await openScopesFor(rules, ME);
  await seed();
  expect(await rules.grants.find('email', ME)).toBeUndefined();
  expect(await idsIn('technik')).toEqual([]);
});
