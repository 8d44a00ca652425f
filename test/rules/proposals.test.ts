import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ANNA,
  confirmed,
  decide,
  FEEDER,
  grant,
  mail,
  MAIL_ID,
  meeting,
  proposal,
  proposed,
  QUOTE,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const source = (over: Record<string, unknown>) => ({ source: { ...proposal().source, ...over } });
const said = (timestamp_s: number, quote = 'From April on we ship to Switzerland only with customs papers') => ({
  source: { kind: 'jamie', id: 'jamie:weekly-1', quote, timestamp_s, link: 'https://meet.example.com/1' },
});
const SECRET = `AKIA${'Q'.repeat(16)}`;
const stored = (): unknown[] =>
  ['rule', 'rule_version', 'rule_fts'].map(table => here.rows('sales', `SELECT count(*) AS n FROM ${table}`)[0]!['n']);

test('[RU52] a proposal is stored as sent, as a first version', async () => {
  const answer = await here.do('proposeRule', proposal(), FEEDER);
  expect(answer).toEqual({
    http: 201,
    ref: 'rule/sales-0001@1',
    status: 'proposed',
    quote_check: { checked: true },
    possible_duplicates: [],
    approval_url: 'https://rules.example.com/approval/rules/sales-0001',
  });
  expect(here.rows('sales', 'SELECT * FROM rule_version')).toEqual([
    {
      rule_id: 'sales-0001',
      version: 1,
      kind: 'rule',
      statement: 'Ask the supplier for the delivery time before ordering black hook rails',
      source_id: MAIL_ID,
      quote: QUOTE,
      timestamp_s: null,
      source_link: 'https://mail.example.com/1',
      said_at: '2026-03-12T09:00:00Z',
      speaker: 'Ada',
      relations: '[{"kind":"product","name":"Hook rail","ref":null}]',
      keywords: '["delivery time","hook rail"]',
      valid_from: '2026-03-12',
      valid_until: null,
      supersedes: null,
      superseded_by: null,
      status: 'proposed',
      reason: 'proposed via api',
      changed_by: 'service:2',
      changed_at: '2026-03-12T10:00:00.000Z',
    },
  ]);
  expect(here.rows('sales', 'SELECT rowid, * FROM rule_fts')).toEqual([
    {
      rowid: 1,
      keywords: 'delivery time hook rail',
      statement: 'Ask the supplier for the delivery time before ordering black hook rails',
      relations: 'product Hook rail',
      quote: QUOTE,
    },
  ]);
});

test('[RU52] ids count up in each scope, with four digits or more', async () => {
  await here.do('storeSource', mail({}, { scope: 'legal' }), FEEDER);
  expect([await proposed(here), await proposed(here), await proposed(here, { scope: 'legal' })]).toEqual([
    'sales-0001',
    'sales-0002',
    'legal-0001',
  ]);
  await decide(here, 'sales-0002', { decision: 'reject', version: 1, reason: 'no' });
  expect(await proposed(here)).toBe('sales-0003');
  here.files.open('sales').exec(`INSERT INTO rule VALUES (9999, 'sales-9999', 'x', 'x')`);
  expect(await proposed(here)).toBe('sales-10000');
  expect((await here.do('readRule', { ref: 'rule/sales-10000' })).head.ref).toBe('rule/sales-10000@1');
});

test('[RU50] the first thing that is wrong is the answer', async () => {
  const wrong = [
    source({ id: 'mail:<none@example.com>', quote: `never said in any mail, ${SECRET}` }),
    source({ id: 'mail:<none@example.com>', quote: 'never said in any mail' }),
    source({ quote: 'never said in any mail at all' }),
    {},
  ].map(over => proposal({ ...over, supersedes: 'sales-0099' }));
  const codes = [];
  for (const request of wrong) codes.push((await refusal(here.do('proposeRule', request, FEEDER)))['code']);
  expect(codes).toEqual(['secret-detected', 'source-unknown', 'quote-not-found', 'reference-unknown']);
  expect(stored()).toEqual([0, 0, 0]);
  expect(here.rows('sales', `SELECT outcome FROM search_log WHERE operation = 'propose'`)).toEqual(
    Array.from({ length: 4 }, () => ({ outcome: 422 })),
  );
});

test('[RU51] a source that only another scope has is unknown, as one that nobody has', async () => {
  const asked = (scope: string, id: string) => here.do('proposeRule', proposal({ scope, ...source({ id }) }), FEEDER);
  const [elsewhere, nowhere] = [await refusal(asked('legal', MAIL_ID)), await refusal(asked('legal', 'mail:<none@x>'))];
  expect(elsewhere).toEqual({ code: 'source-unknown' });
  expect(nowhere).toEqual(elsewhere);
});

test('[RU41] the window includes its borders, and speakers are no part of the text', async () => {
  await here.do('storeSource', meeting(), FEEDER);
  const first = 'From April on we ship';
  const codes = [];
  for (const [second, quote] of [
    [180, first],
    [179, first],
    [420, first],
    [421, first],
    [189, undefined],
    [190, undefined],
    [420, undefined],
    [421, undefined],
    [305, 'Ada: From April on we ship'],
    [305, 'we ship Ben to Switzerland only'],
    [5, 'good MORNING — everyone!'],
  ] as const) {
    codes.push((await refusal(here.do('proposeRule', proposal(said(second, quote)), FEEDER)))['code']);
  }
  expect(codes).toEqual([
    'none',
    'quote-not-found',
    'none',
    'quote-not-found',
    'quote-not-found',
    'none',
    'none',
    'quote-not-found',
    'quote-not-found',
    'quote-not-found',
    'none',
  ]);
});

test('[RU53] own words are not checked and belong to the grant', async () => {
  const manual = { source: { kind: 'manual', quote: 'mine', link: null } };
  const first = await here.do('proposeRule', proposal(manual), ANNA);
  await here.do('proposeRule', proposal(manual), ANNA);
  await here.do('proposeRule', proposal(manual), FEEDER);
  expect(first.quote_check).toEqual({ checked: false });
  expect(here.rows('sales', `SELECT id, feeder, title FROM source WHERE kind = 'manual'`)).toEqual([
    { id: 'manual:person:1', feeder: 'person:1', title: null },
    { id: 'manual:service:2', feeder: 'service:2', title: null },
  ]);
});

describe('what a proposal replaces', () => {
  test('[RU50] must be a confirmed rule of the scope', async () => {
    const waiting = await proposed(here);
    const sure = await confirmed(here);
    const refused = await proposed(here);
    await decide(here, refused, { decision: 'reject', version: 1, reason: 'no' });
    for (const supersedes of [waiting, refused, 'sales-0099', 'legal-0001']) {
      expect((await refusal(here.do('proposeRule', proposal({ supersedes }), FEEDER)))['code']).toBe(
        'reference-unknown',
      );
    }
    expect(await proposed(here, { supersedes: sure })).toBe('sales-0004');
  });

  test('[RU21] naming a rule of a scope that is not granted is refused before anything is looked up', async () => {
    const caller = grant('service:2', ['propose'], ['sales']);
    expect(await refusal(here.do('proposeRule', proposal({ supersedes: 'legal-0001' }), caller))).toEqual({
      code: 'scope-not-allowed',
    });
  });

  test('[RU50] is looked at again in the transaction', async () => {
    const sure = await confirmed(here);
    const first = await proposed(here, { supersedes: sure });
    const db = here.files.open('sales');
    const find = here.rules.find;
    here.rules.find = async (scope, id) => {
      const rule = await find(scope, id);
      here.rules.find = find;
      await decide(here, first, { decision: 'confirm', version: 1 });
      return rule;
    };
    const late = await refusal(here.do('proposeRule', proposal({ supersedes: sure }), FEEDER));
    expect(late['code']).toBe('reference-unknown');
    expect(db.inTransaction).toBe(false);
    expect(stored()[0]).toBe(2);
  });
});

test('[RU54] rules and proposals that say something alike are named, three at most, best first', async () => {
  const alike = [await confirmed(here), await proposed(here), await proposed(here), await proposed(here)];
  const other = { statement: 'Invoices are paid within thirty days', keywords: ['invoice'], relations: [] };
  const lonely = await here.do(
    'proposeRule',
    proposal({ ...other, ...source({ quote: 'The last order came six weeks late' }) }),
    FEEDER,
  );
  expect(lonely.possible_duplicates).toEqual([]);
  const answer = await here.do('proposeRule', proposal(), FEEDER);
  expect(answer.possible_duplicates).toEqual([`rule/${alike[0]}@2`, `rule/${alike[1]}@1`, `rule/${alike[2]}@1`]);
});

describe('secrets', () => {
  test.each([
    ['statement', { statement: `The key of the depot is ${SECRET}` }],
    ['quote', source({ quote: `${QUOTE} ${SECRET}` })],
    ['link', source({ link: `https://example.com/?key=${SECRET}` })],
    ['speaker', { speaker: SECRET }],
    ['keyword', { keywords: ['depot', SECRET] }],
    ['name', { relations: [{ kind: 'customer', name: SECRET, ref: null }] }],
    ['ref', { relations: [{ kind: 'customer', name: 'x', ref: SECRET }] }],
  ])('[RU55] a secret in the %s is refused and not repeated', async (_, over) => {
    const answer = await refusal(here.do('proposeRule', proposal(over), FEEDER));
    expect(answer).toEqual({
      code: 'secret-detected',
      issues: ['aws-key'],
      remedy: 'take the secret out and propose again',
    });
    expect(stored()).toEqual([0, 0, 0]);
    expect(JSON.stringify(here.rows('sales', 'SELECT * FROM search_log'))).not.toContain(SECRET);
  });
});

test.each([
  ['a statement of too few characters', { statement: '😀😀😀😀😀' }],
  ['a quote of too few characters', source({ quote: '😀'.repeat(10) })],
  ['a day that is none', { valid_from: '2026-02-30' }],
  ['too many keywords', { keywords: Array.from({ length: 31 }, (_, at) => `word ${at}`) }],
  ['a keyword of one letter', { keywords: ['x'] }],
  ['a relation of another kind', { relations: [{ kind: 'person', name: 'x', ref: null }] }],
  ['an unknown key', { status: 'confirmed' }],
  ['own words without a quote', { source: { kind: 'manual', quote: '', link: null } }],
  [
    'a meeting without a second',
    { source: { kind: 'jamie', id: 'jamie:weekly-1', quote: QUOTE, link: 'https://x.example' } },
  ],
  ['no supersedes', { supersedes: undefined }],
  ['text that no store can keep', { statement: 'A statement with a \0 in it' }],
])('[RU24, RU50] %s is invalid', async (_, over) => {
  const answer = await refusal(here.do('proposeRule', proposal(over), FEEDER));
  expect(answer['code']).toBe('validation-failed');
  expect(answer['issues']).not.toEqual([]);
});

test('[RU77] proposals are listed oldest first, page by page', async () => {
  const ids = [];
  for (let at = 0; at < 5; at++) ids.push(await proposed(here));
  await decide(here, ids[1]!, { decision: 'confirm', version: 1 });
  await decide(here, ids[2]!, { decision: 'reject', version: 1, reason: 'no' });
  const first = await here.do('listProposals', { scope: 'sales', limit: 2 });
  expect(first.proposals.map((one: { ref: string }) => one.ref)).toEqual(['rule/sales-0001@1', 'rule/sales-0004@1']);
  expect(first.next).toBe('sales-0004');
  const second = await here.do('listProposals', { scope: 'sales', limit: 2, after: first.next });
  expect(second).toEqual({
    http: 200,
    proposals: [
      {
        ref: 'rule/sales-0005@1',
        kind: 'rule',
        statement: proposal().statement,
        said_at: '2026-03-12T09:00:00Z',
        source: { kind: 'mail', id: MAIL_ID },
        supersedes: null,
        created_at: '2026-03-12T10:00:00.000Z',
        approval_url: 'https://rules.example.com/approval/rules/sales-0005',
      },
    ],
    next: null,
  });
});
