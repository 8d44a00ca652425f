import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallerGrant, Channel } from '../../src/rules/index.ts';
import {
  ANNA,
  confirmed,
  FEEDER,
  grant,
  mail,
  MAIL_ID,
  meeting,
  proposal,
  proposed,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

type OpName = keyof World['bound'];
const code = async (op: OpName, raw: unknown, caller: CallerGrant | undefined, channel: Channel): Promise<unknown> =>
  (await refusal(here.call(here.bound[op], { grant: caller, channel }, raw)))['code'];
const search = { scopes: ['sales'], text: 'hook' };

test('[RU20] each refusal comes before the next', async () => {
  const nobody = grant('service:2', ['propose'], ['legal']);
  const person = { ...nobody, kind: 'person' as const };
  const both = { ...search, scopes: ['sales', 'legal'] };
  here.close();
  expect(await code('searchRules', {}, undefined, 'mcp')).toBe('unauthorized');
  expect(await code('searchRules', {}, nobody, 'mcp')).toBe('channel-not-allowed');
  expect(await code('searchRules', {}, nobody, 'approval')).toBe('channel-not-allowed');
  expect(await code('searchRules', {}, person, 'mcp')).toBe('validation-failed');
  expect(await code('searchRules', both, person, 'mcp')).toBe('scope-not-allowed');
  expect(await code('searchRules', both, { ...person, scopes: ['sales', 'legal'] }, 'mcp')).toBe(
    'multiple-scopes-without-flag',
  );
  expect(
    await code('searchRules', { ...both, cross_scope: true }, { ...person, scopes: ['sales', 'legal'] }, 'mcp'),
  ).toBe('channel-not-allowed');
  expect(await code('searchRules', { ...search, scopes: ['gone'] }, grant('person:1', ['read'], ['gone']), 'mcp')).toBe(
    'scope-locked',
  );
  expect(here.reports.map(({ event, fields }) => [event, fields['code']])).toEqual(
    [
      'unauthorized',
      'channel-not-allowed',
      'channel-not-allowed',
      'validation-failed',
      'scope-not-allowed',
      'multiple-scopes-without-flag',
      'channel-not-allowed',
    ].map(one => ['rules.denied', one]),
  );
});

test('[RU21] a scope out of reach is refused alike, whether it exists or not', async () => {
  const caller = grant('person:1', ['read', 'propose', 'decide'], ['sales']);
  const ask = async (op: OpName, raw: unknown) => {
    try {
      await here.call(here.bound[op], { grant: caller, channel: 'approval' }, raw);
      return 'let in';
    } catch (thrown) {
      const { code: found, message, data } = thrown as Error & { code: string; data: unknown };
      return JSON.stringify({ found, message, data });
    }
  };
  const answers = new Set<string>();
  for (const scope of ['legal', 'never-made']) {
    answers.add(await ask('searchRules', { ...search, scopes: [scope] }));
    answers.add(await ask('searchRules', { ...search, scopes: ['sales', scope], cross_scope: true }));
    answers.add(await ask('readRule', { ref: `rule/${scope}-0001` }));
    answers.add(await ask('readRule', { ref: `rule/${scope}-0001@3` }));
    answers.add(await ask('listRules', { scope }));
    answers.add(await ask('listRules', { scope: 'sales', after: `${scope}-0001` }));
    answers.add(await ask('listProposals', { scope }));
    answers.add(await ask('listProposals', { scope: 'sales', after: `${scope}-0001` }));
    answers.add(await ask('storeSource', mail({}, { scope })));
    answers.add(await ask('readSource', { scope, id: MAIL_ID }));
    answers.add(await ask('proposeRule', proposal({ scope })));
    answers.add(await ask('proposeRule', proposal({ supersedes: `${scope}-0001` })));
    answers.add(await ask('showRule', { id: `${scope}-0001` }));
    answers.add(await ask('inbox', { scope }));
    answers.add(await ask('decide', { id: `${scope}-0001`, body: { decision: 'confirm', version: 1 } }));
  }
  expect(answers.size).toBe(1);
  expect([...answers][0]).toContain('"scope-not-allowed"');
});

describe('[matrix] who may call what', () => {
  const read: Record<string, unknown> = {
    searchRules: search,
    readRule: { ref: 'rule/sales-0001' },
    listRules: { scope: 'sales' },
    listProposals: { scope: 'sales' },
    status: {},
  };
  const propose: Record<string, unknown> = {
    storeSource: meeting(),
    readSource: { scope: 'sales', id: MAIL_ID },
    proposeRule: proposal(),
  };
  const decide: Record<string, unknown> = {
    decide: { id: 'sales-0001', body: { decision: 'confirm', version: 2 } },
    showRule: { id: 'sales-0001' },
    inbox: {},
  };
  const every = { ...read, ...propose, ...decide, scopes: {} };

  test('[RU20] every op, by right and channel', async () => {
    await confirmed(here);
    const allowed = async (caller: CallerGrant, channel: Channel): Promise<string[]> => {
      const names = [];
      for (const [op, raw] of Object.entries(every)) {
        if ((await code(op as OpName, raw, caller, channel)) !== 'channel-not-allowed') names.push(op);
      }
      return names;
    };
    const [r, p, d] = [Object.keys(read), Object.keys(propose), Object.keys(decide)];
    const person = (...rights: ('read' | 'propose' | 'decide')[]) => grant('person:1', rights);
    for (const channel of ['mcp', 'api'] as const) {
      expect(await allowed(person('read'), channel)).toEqual([...r, 'scopes']);
      expect(await allowed(person('propose'), channel)).toEqual([...p, 'scopes']);
      expect(await allowed(person('decide'), channel)).toEqual(['scopes']);
      expect(await allowed(ANNA, channel)).toEqual([...r, ...p, 'scopes']);
    }
    expect(await allowed(person('decide'), 'approval')).toEqual([...d, 'scopes']);
    expect(await allowed(ANNA, 'approval')).toEqual(Object.keys(every));
    expect(await allowed(FEEDER, 'api')).toEqual([...r, ...p, 'scopes']);
    expect(await allowed(FEEDER, 'mcp')).toEqual([]);
    expect(await allowed(FEEDER, 'approval')).toEqual([]);
  });

  test('[RU22] an agent that holds every right decides nothing', async () => {
    const id = await proposed(here);
    for (const channel of ['mcp', 'api'] as const) {
      for (const decision of ['confirm', 'reject']) {
        const raw = { id, body: { decision, version: 1, reason: 'x' } };
        expect(await code('decide', raw, ANNA, channel)).toBe('channel-not-allowed');
      }
    }
    const forged = { ...grant('service:9', ['read', 'propose', 'decide']) };
    expect(await code('decide', { id, body: { decision: 'confirm', version: 1 } }, forged, 'approval')).toBe(
      'channel-not-allowed',
    );
    expect(here.rows('sales', 'SELECT * FROM decision')).toEqual([]);
    expect(here.rows('sales', 'SELECT max(version) AS n FROM rule_version')).toEqual([{ n: 1 }]);
  });
});

describe('the log', () => {
  const log = (scope = 'sales') => here.rows(scope, 'SELECT * FROM search_log ORDER BY rowid');

  test('[RU23] holds one row a call, with the grant, the channel and what was touched', async () => {
    const id = await confirmed(here);
    await here.do('readRule', { ref: `rule/${id}` }, ANNA, 'mcp');
    await refusal(here.do('readRule', { ref: 'rule/sales-0099' }, ANNA, 'mcp'));
    await refusal(here.do('proposeRule', proposal({ supersedes: 'sales-0099' }), FEEDER));
    await refusal(here.do('decide', { id, body: { decision: 'confirm', version: 1 } }, ANNA, 'approval'));
    await refusal(here.do('readRule', { ref: 'nothing' }, ANNA, 'mcp'));
    expect(log().map(row => [row['operation'], row['grant_id'], row['channel'], row['outcome'], row['refs']])).toEqual([
      ['store_source', 'service:2', 'api', 201, `["source/${MAIL_ID}"]`],
      ['propose', 'service:2', 'api', 201, `["rule/${id}@1"]`],
      ['decide', 'person:1', 'approval', 200, `["rule/${id}@2"]`],
      ['read_rule', 'person:1', 'mcp', 200, `["rule/${id}@2"]`],
      ['read_rule', 'person:1', 'mcp', 404, '[]'],
      ['propose', 'service:2', 'api', 422, '[]'],
      ['decide', 'person:1', 'approval', 409, `["rule/${id}@2"]`],
    ]);
  });

  test('[RU23, RU78] a search of several scopes has one id and not its text', async () => {
    const id = await confirmed(here);
    const found = await here.do('searchRules', {
      scopes: ['sales', 'legal', 'sales'],
      cross_scope: true,
      text: 'Hook rails xyzzy',
      terms: ['lead time'],
    });
    const rows = [log().at(-1)!, log('legal').at(-1)!];
    expect(rows.map(row => [row['id'], row['cross_scope'], row['refs']])).toEqual([
      [found.search_id, 1, `["rule/${id}@2"]`],
      [found.search_id, 1, '[]'],
    ]);
    expect(rows[0]!['input_sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(rows[0]!['stages'] as string)).toEqual(found.stages);
    expect(JSON.stringify(rows)).not.toContain('Hook rails xyzzy');
    await here.do('searchRules', { scopes: ['sales'], terms: ['lead time'], cross_scope: true });
    expect([log().at(-1)!['cross_scope'], log().at(-1)!['input_sha256']]).toEqual([0, null]);
  });

  test('[RU23] a write that fails leaves its log row out with it', async () => {
    here.files
      .open('sales')
      .exec(`CREATE TRIGGER full BEFORE INSERT ON rule_version BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(await refusal(here.do('proposeRule', proposal(), FEEDER))).toEqual({ code: 'internal' });
    expect(log().map(row => [row['operation'], row['outcome']])).toEqual([
      ['store_source', 201],
      ['propose', 500],
    ]);
    expect(here.rows('sales', 'SELECT count(*) AS n FROM rule')).toEqual([{ n: 0 }]);
  });

  test('[RU23] a refusal that cannot be logged is still the refusal', async () => {
    here.files
      .open('sales')
      .exec(`CREATE TRIGGER full BEFORE INSERT ON search_log BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(await refusal(here.do('readRule', { ref: 'rule/sales-0099' }))).toEqual({ code: 'not-found' });
    expect(here.reports.at(-1)!.event).toBe('rules.not-logged');
  });
});

test('[RU79] scopes and status cover the grant, locked scopes too', async () => {
  await confirmed(here);
  await proposed(here);
  const refused = await proposed(here);
  await here.do('decide', { id: refused, body: { decision: 'reject', version: 1, reason: 'no' } }, ANNA, 'approval');
  const caller = grant('person:1', ['read', 'decide'], ['sales', 'gone']);
  const counts = { proposed: 1, confirmed: 1, superseded: 0 };
  expect((await here.do('scopes', {}, caller, 'mcp')).scopes).toEqual([
    { scope: 'sales', rights: ['read'], locked: false, counts, approval_mode: 'manual' },
    { scope: 'gone', rights: ['read'], locked: true, counts: null, approval_mode: 'manual' },
  ]);
  expect((await here.do('scopes', {}, caller, 'approval')).scopes[0].rights).toEqual(['read', 'decide']);
  const status = await here.do('status', {}, caller);
  expect(status).toMatchObject({ instance: 'demo', zone: 'Europe/Berlin', stages: { b: 'off', c: 'off' } });
  expect(
    status.scopes.map((one: Record<string, unknown>) => [
      one['scope'],
      one['created'],
      one['lock_reason'],
      one['last_write'],
    ]),
  ).toEqual([
    ['sales', true, null, '2026-03-12T10:00:00.000Z'],
    ['gone', false, 'not-configured', null],
  ]);
  expect(status.scopes[1].checks[0]).toMatchObject({ status: 'warn', remedy: expect.stringContaining('scope create') });
  expect(
    here.rows('sales', `SELECT operation FROM search_log ORDER BY rowid DESC LIMIT 3`).map(row => row['operation']),
  ).toEqual(['status', 'list_scopes', 'list_scopes']);
  expect(here.rows('legal', 'SELECT * FROM search_log')).toEqual([]);
});
