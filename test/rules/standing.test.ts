import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANNA, confirmed, decide, FEEDER, grant, proposed, refusal, stocked, type World } from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const revoke = { decision: 'revoke', version: 2, reason: 'the supplier is gone', valid_until: '2026-06-01' } as const;
const review = { decision: 'review', version: 2 } as const;
const versions = (id: string) =>
  here.rows('sales', `SELECT * FROM rule_version WHERE rule_id = '${id}' ORDER BY version`);
const count = (table: string): number => here.rows('sales', `SELECT count(*) AS n FROM ${table}`)[0]!['n'] as number;
const read = (id: string, over: object = {}) => here.do('readRule', { ref: `rule/${id}`, ...over });
const found = async (as_of: string | null, terms = ['hook rail']): Promise<string[]> =>
  (await here.do('searchRules', { scopes: ['sales'], terms, as_of })).bundles.map(
    ({ head }: { head: { ref: string } }) => head.ref,
  );

describe('revoking', () => {
  test('[RU100] ends a confirmed rule on the day given, without a successor', async () => {
    const id = await confirmed(here);
    here.pass(60_000);
    expect(await decide(here, id, revoke)).toEqual({
      http: 200,
      ref: `rule/${id}@3`,
      status: 'superseded',
      decision: {
        kind: 'revoke',
        version: 2,
        decided_by: 'person:1',
        decided_at: '2026-03-12T10:01:00.000Z',
        reason: 'the supplier is gone',
        new_version: 3,
        origin: 'grant',
        mode: 'manual',
      },
    });
    const [, second, third] = versions(id);
    expect(third).toEqual({
      ...second,
      version: 3,
      status: 'superseded',
      valid_until: '2026-06-01',
      reason: 'the supplier is gone',
      changed_at: '2026-03-12T10:01:00.000Z',
    });
    expect(await found('2026-05-31')).toEqual([`rule/${id}@3`]);
    expect(await found('2026-06-01')).toEqual([]);
    expect(here.rows('sales', `SELECT refs FROM search_log WHERE operation = 'decide' AND outcome = 200`)).toEqual([
      { refs: `["rule/${id}@2"]` },
      { refs: `["rule/${id}@3"]` },
    ]);
    expect((await refusal(decide(here, id, { ...revoke, version: 3 })))['code']).toBe('already-decided');
  });

  test('[RU100] from the first day on is possible, before it is not', async () => {
    const id = await confirmed(here);
    expect(await refusal(decide(here, id, { ...revoke, valid_until: '2026-03-11' }))).toMatchObject({
      code: 'validation-failed',
      issues: [{ path: ['body', 'valid_until'] }],
    });
    expect(count('decision')).toBe(1);
    await decide(here, id, { ...revoke, valid_until: '2026-03-12' });
    expect(await found('2026-03-12')).toEqual([]);
    expect((await read(id)).head.status).toBe('superseded');
  });

  test('[RU60] needs a reason and a day, and a rule that is confirmed', async () => {
    const id = await confirmed(here);
    const open = await proposed(here);
    const code = async (target: string, body: object) => (await refusal(decide(here, target, body)))['code'];
    expect(await code(id, { ...revoke, reason: ' ' })).toBe('reason-missing');
    for (const valid_until of [undefined, null, '2026-02-30', '2026-06-01T00:00:00Z']) {
      expect(await code(id, { ...revoke, valid_until })).toBe('validation-failed');
    }
    expect(await code(id, { ...revoke, version: 1 })).toBe('version-outdated');
    expect(await code(open, revoke)).toBe('version-outdated');
    expect(await code(open, { ...revoke, version: 1 })).toBe('validation-failed');
    expect(await code(open, { ...review, version: 1 })).toBe('validation-failed');
    await decide(here, open, { decision: 'reject', version: 1, reason: 'no' });
    expect(await code(open, { ...revoke, version: 2 })).toBe('already-decided');
    expect(count('decision')).toBe(2);
  });
});

describe('reviewing', () => {
  test('[RU101] is a decision and no version, and starts the time until the next question anew', async () => {
    const id = await confirmed(here);
    here.pass(200 * 86_400_000);
    expect((await read(id)).head).toMatchObject({ age_days: 200, recheck: 'still valid?' });
    expect(await decide(here, id, review)).toMatchObject({
      ref: `rule/${id}@2`,
      status: 'confirmed',
      decision: { kind: 'review', version: 2, reason: null, new_version: null },
    });
    expect(versions(id)).toHaveLength(2);
    expect((await read(id)).head).toMatchObject({ age_days: 0, recheck: null, ref: `rule/${id}@2` });
    expect((await read(id)).decisions).toHaveLength(2);
    expect(await decide(here, id, { ...review, reason: 'asked again' })).toMatchObject({ ref: `rule/${id}@2` });
  });

  test('[RU101] with keywords makes a version that is found by them', async () => {
    const id = await confirmed(here);
    const change = { keywords: ['lead time'] };
    expect(await decide(here, id, { ...review, change, reason: 'people say lead time' })).toMatchObject({
      ref: `rule/${id}@3`,
      status: 'confirmed',
      decision: { kind: 'review', version: 2, new_version: 3, reason: 'people say lead time' },
    });
    expect(JSON.parse(versions(id)[2]!['keywords'] as string)).toEqual(['lead time']);
    expect(await found(null, ['lead time'])).toEqual([`rule/${id}@3`]);
    for (const wrong of [{ statement: 'Another statement' }, { keywords: [], kind: 'note' }, {}]) {
      expect((await refusal(decide(here, id, { ...review, version: 3, change: wrong })))['code']).toBe(
        'validation-failed',
      );
    }
  });
});

test('[RU65] of two decisions of any kind at once one wins, and the other is told what is current', async () => {
  const others = [revoke, { ...review, change: { keywords: ['other'] } }];
  for (const first of others) {
    for (const second of others) {
      const id = await confirmed(here);
      const answers = await Promise.allSettled([decide(here, id, first), decide(here, id, second)]);
      const refused = answers.filter(one => one.status === 'rejected').map(one => one.reason);
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({ data: { current: `rule/${id}@3` } });
      expect(['already-decided', 'version-outdated']).toContain(refused[0].code);
      expect(versions(id)).toHaveLength(3);
    }
  }
});

test('[RU102] the schema refuses a decision that does not say what its version says', async () => {
  const id = await confirmed(here);
  const db = here.files.open('sales');
  const insert = (over: Record<string, unknown>): string => {
    const row = {
      rule_id: id,
      version: 1,
      kind: 'confirm',
      decided_by: 'person:1',
      decided_by_identity: 'a@example.com',
      decided_at: '2026-03-12T10:00:00Z',
      reason: 'x',
      new_version: 2,
      origin: 'grant',
      mode: 'manual',
      classification_id: null,
      ...over,
    };
    const names = Object.keys(row);
    try {
      db.prepare(`INSERT INTO decision (${names.join()}) VALUES (${names.map(name => `@${name}`).join()})`).run(row);
      return 'stored';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(insert({ kind: 'reject' })).toBe('decision-mismatch');
  expect(insert({ kind: 'revoke' })).toBe('decision-mismatch');
  for (const over of [
    { origin: 'auto' },
    { origin: 'auto', decided_by: 'policy@1', mode: 'autonomous' },
    { origin: 'auto', decided_by: 'policy@1', kind: 'revoke' },
    { kind: 'retract' },
    { decided_by: 'policy@1' },
    { origin: 'machine' },
    { mode: 'open' },
  ]) {
    expect(insert(over)).toMatch(/^CHECK constraint failed/);
  }
  db.prepare(`INSERT INTO classification (rule_id, version, ruleset, mode, class, outcome, reasons, at)
    VALUES (?, 1, 'r1', 'classified', 'routine', 'wait', '[]', '2026-03-12T10:00:00Z')`).run(id);
  const policy = { origin: 'auto', decided_by: 'policy@r1', mode: 'classified', classification_id: 1 };
  expect(insert(policy)).toBe('not-for-policy');
  expect(insert({ ...policy, version: 2, kind: 'retract', new_version: 3 })).toMatch(/not-for-policy|FOREIGN KEY/);
});

test('[RU22] a grant without the right, of a service, or on another channel does not decide about a confirmed rule', async () => {
  const id = await confirmed(here);
  const input = { id, body: revoke };
  const reader = grant('person:5', ['read', 'propose']);
  expect(await refusal(here.do('decide', input, reader, 'approval'))).toMatchObject({ code: 'channel-not-allowed' });
  for (const channel of ['api', 'mcp'] as const) {
    expect(await refusal(here.do('decide', input, ANNA, channel))).toMatchObject({ code: 'channel-not-allowed' });
  }
  expect(await refusal(here.do('decide', input, FEEDER, 'approval'))).toMatchObject({ code: 'channel-not-allowed' });
  expect(count('decision')).toBe(1);
});
