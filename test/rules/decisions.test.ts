import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/rules/canonical-json.ts';
import {
  ANNA,
  confirmed,
  decide,
  FEEDER,
  grant,
  MAIL_ID,
  MAIL_TEXT,
  mail,
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

const versions = (id: string) =>
  here.rows('sales', `SELECT * FROM rule_version WHERE rule_id = '${id}' ORDER BY version`);
const count = (table: string): number => here.rows('sales', `SELECT count(*) AS n FROM ${table}`)[0]!['n'] as number;
const confirm = { decision: 'confirm', version: 1 } as const;
const reject = { decision: 'reject', version: 1, reason: 'not so' } as const;
const shown = async (id: string): Promise<string> =>
  (await here.do('showRule', { id }, ANNA, 'approval')).shown_sha256 as string;

describe('the order of refusals', () => {
  test('[RU60] evidence, reason, form, existence, status, version, digest, status again', async () => {
    const id = await proposed(here);
    const other = 'f'.repeat(64);
    const codes = async (target: string, body: object, digest?: string) =>
      (await refusal(decide(here, target, body, digest)))['code'];
    for (const key of ['source', 'quote', 'timestamp_s', 'source_link', 'link']) {
      expect(await codes('sales-0099', { decision: 'reject', version: 'x', change: { [key]: null } })).toBe(
        'source-immutable',
      );
    }
    for (const body of [
      { decision: 'reject' },
      { decision: 'reject', reason: ' \n\t' },
      { decision: 'revoke', version: 1, reason: 5 },
    ]) {
      expect(await codes('sales-0099', body)).toBe('reason-missing');
    }
    for (const body of [
      { decision: 'confirm' },
      { decision: 'confirm', version: 0 },
      { decision: 'adopt', version: 1 },
      { decision: 'confirm', version: 1, shown_sha256: other },
      { decision: 'confirm', version: 1, change: { status: 'confirmed' } },
      { decision: 'confirm', version: 1, change: { statement: 'short' } },
      { ...reject, change: {} },
    ]) {
      expect(await codes('sales-0099', body)).toBe('validation-failed');
    }
    expect(await codes('sales-0099', confirm)).toBe('not-found');
    expect(await codes(id, { ...confirm, version: 2 }, other)).toBe('version-outdated');
    expect(await codes(id, confirm, other)).toBe('version-outdated');
    expect(await codes(id, confirm, await shown(id))).toBe('none');
    expect(await codes(id, confirm)).toBe('version-outdated');
    expect(await codes(id, { ...confirm, version: 2 }, other)).toBe('version-outdated');
    expect(await codes(id, { ...confirm, version: 2 })).toBe('already-decided');
    expect(await codes(id, { ...reject, version: 2 })).toBe('already-decided');
    await confirmed(here, { supersedes: id });
    expect(await codes(id, { ...confirm, version: 1 }, other)).toBe('already-decided');
  });

  test('[RU60] every conflict names the version that is current', async () => {
    const id = await confirmed(here);
    for (const version of [1, 2, 7]) {
      expect((await refusal(decide(here, id, { ...confirm, version })))['current']).toBe(`rule/${id}@2`);
    }
    expect(count('decision')).toBe(1);
  });
});

describe('confirming', () => {
  test('[RU61] as proposed', async () => {
    const id = await proposed(here);
    here.pass(60_000);
    expect(await decide(here, id, { ...confirm, reason: '  ' })).toEqual({
      http: 200,
      ref: `rule/${id}@2`,
      status: 'confirmed',
      decision: {
        kind: 'confirm',
        version: 1,
        decided_by: 'person:1',
        decided_at: '2026-03-12T10:01:00.000Z',
        reason: null,
        new_version: 2,
        origin: 'grant',
        mode: 'manual',
      },
    });
    const [first, second] = versions(id);
    expect(second).toEqual({
      ...first,
      version: 2,
      status: 'confirmed',
      reason: 'confirmed',
      changed_by: 'person:1',
      changed_at: '2026-03-12T10:01:00.000Z',
    });
    expect(here.rows('sales', 'SELECT decided_by_identity FROM decision')).toEqual([
      { decided_by_identity: 'person1@example.com' },
    ]);
    expect(here.rows('sales', `SELECT refs, outcome FROM search_log WHERE operation = 'decide'`)).toEqual([
      { refs: `["rule/${id}@2"]`, outcome: 200 },
    ]);
  });

  test('[RU61] with changes', async () => {
    const id = await proposed(here);
    const change = {
      statement: 'Always ask for the delivery time of hook rails first',
      kind: 'note',
      keywords: ['lead time'],
      relations: [],
      valid_from: '2026-05-01',
      said_at: '2026-03-10T08:00:00Z',
      speaker: null,
      supersedes: null,
    };
    await decide(here, id, { ...confirm, change, reason: 'shorter' });
    const [first, second] = versions(id);
    expect(second).toEqual({
      ...first,
      ...change,
      keywords: '["lead time"]',
      relations: '[]',
      version: 2,
      status: 'confirmed',
      reason: 'shorter',
      changed_by: 'person:1',
    });
    expect(
      (await here.do('searchRules', { scopes: ['sales'], terms: ['lead time'], as_of: '2026-05-01' })).bundles,
    ).toHaveLength(1);
    expect(
      (await here.do('searchRules', { scopes: ['sales'], terms: ['supplier'], as_of: '2026-05-01' })).bundles,
    ).toEqual([]);
  });
});

describe('replacing a rule', () => {
  test('[RU62] ends it on the day the new one starts', async () => {
    const old = await confirmed(here);
    const id = await proposed(here, { supersedes: old, valid_from: '2026-04-01' });
    await decide(here, id, confirm);
    expect(versions(old).at(-1)).toMatchObject({
      version: 3,
      status: 'superseded',
      valid_until: '2026-04-01',
      superseded_by: id,
      reason: `superseded by ${id}`,
      changed_by: 'person:1',
    });
    expect(count('decision')).toBe(2);
    expect(here.rows('sales', 'SELECT rowid FROM rule_fts')).toEqual([{ rowid: 1 }, { rowid: 2 }]);
    expect(here.memory.of('sales')?.versionCount).toBe(5);
  });

  test('[RU62] may be asked for, and left out, only when confirming', async () => {
    const old = await confirmed(here);
    const plain = await proposed(here);
    await decide(here, plain, { ...confirm, change: { supersedes: old, valid_from: '2026-04-01' } });
    expect(versions(old).at(-1)!['superseded_by']).toBe(plain);
    const next = await proposed(here, { supersedes: plain });
    await decide(here, next, { ...confirm, change: { supersedes: null } });
    expect(versions(plain).at(-1)!['status']).toBe('confirmed');
    expect(versions(next).at(-1)!['supersedes']).toBeNull();
  });

  test('[RU63] what is no longer confirmed is named', async () => {
    const old = await confirmed(here);
    const [first, second] = [await proposed(here, { supersedes: old }), await proposed(here, { supersedes: old })];
    await decide(here, first, confirm);
    const answer = { code: 'already-decided', current: `rule/${old}@3` };
    expect(await refusal(decide(here, second, confirm))).toEqual(answer);
    expect(await refusal(decide(here, second, { ...confirm, change: { supersedes: old } }))).toEqual(answer);
    expect(versions(second)).toHaveLength(1);
    await decide(here, second, { ...confirm, change: { supersedes: first } });
    expect(versions(first).at(-1)!['superseded_by']).toBe(second);
  });

  test('[RU63] what cannot be replaced is unknown', async () => {
    const old = await confirmed(here);
    const waiting = await proposed(here);
    const refused = await proposed(here);
    await decide(here, refused, reject);
    const id = await proposed(here);
    for (const supersedes of [waiting, refused, 'sales-0099', 'legal-0001', id]) {
      const answer = await refusal(decide(here, id, { ...confirm, change: { supersedes } }));
      expect([supersedes, answer['code']]).toEqual([supersedes, 'reference-unknown']);
      expect(answer['remedy']).toContain('name a confirmed rule');
    }
    const early = { supersedes: old, valid_from: '2026-03-11' };
    expect((await refusal(decide(here, id, { ...confirm, change: early })))['code']).toBe('reference-unknown');
    await decide(here, id, { ...confirm, change: { ...early, valid_from: '2026-03-12' } });
    expect(versions(old).at(-1)).toMatchObject({ valid_from: '2026-03-12', valid_until: '2026-03-12' });
  });

  test('[RU21] naming a rule of a scope that is not granted is refused', async () => {
    const id = await proposed(here);
    const caller = grant('person:1', ['decide'], ['sales']);
    const body = { ...confirm, change: { supersedes: 'legal-0001' } };
    expect(await refusal(here.do('decide', { id, body }, caller, 'approval'))).toEqual({ code: 'scope-not-allowed' });
  });
});

describe('rejecting', () => {
  test('[RU64] moves the rule out of search, to where only persons who decide look', async () => {
    const id = await proposed(here);
    await decide(here, id, { ...reject, reason: 'misheard' });
    expect(versions(id).at(-1)).toMatchObject({
      version: 2,
      status: 'rejected',
      reason: 'misheard',
      valid_until: null,
    });
    expect(here.rows('sales', 'SELECT rowid FROM rule_fts')).toEqual([]);
    expect(here.rows('sales', 'SELECT rowid FROM rejected_fts')).toEqual([{ rowid: 1 }]);
    expect(here.rows('sales', 'SELECT kind, reason FROM decision')).toEqual([{ kind: 'reject', reason: 'misheard' }]);
    const similar = await proposed(here);
    const page = await here.do('showRule', { id: similar }, ANNA, 'approval');
    expect(page.rejected_similar).toEqual([
      { ref: `rule/${id}@2`, status: 'rejected', statement: proposal().statement, reason: 'misheard' },
    ]);
    expect(page.possible_duplicates).toEqual([]);
  });
});

describe('two at once', () => {
  test('[RU65] one wins, the other is told what is current', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await proposed(here);
      const bodies = [confirm, reject, { ...confirm, reason: 'me too' }];
      const answers = await Promise.all(bodies.map(body => refusal(decide(here, id, body))));
      expect(answers.filter(({ code }) => code === 'none')).toHaveLength(1);
      const lost = answers.filter(({ code }) => code !== 'none');
      expect(lost.map(({ current }) => current)).toEqual([`rule/${id}@2`, `rule/${id}@2`]);
      expect(lost.every(({ code }) => code === 'already-decided' || code === 'version-outdated')).toBe(true);
      expect(versions(id)).toHaveLength(2);
    }
    expect(count('decision')).toBe(10);
  });

  test('[RU65] two that replace the same rule do not both', async () => {
    const old = await confirmed(here);
    const ids = [await proposed(here, { supersedes: old }), await proposed(here, { supersedes: old })];
    const answers = await Promise.all(ids.map(id => refusal(decide(here, id, confirm))));
    expect(answers.map(({ code }) => code).sort()).toEqual(['already-decided', 'none']);
    expect(answers.find(({ code }) => code !== 'none')!['current']).toBe(`rule/${old}@3`);
    expect(count('decision')).toBe(2);
  });
});

describe('what was shown', () => {
  test('[RU66] canonical JSON is that of RFC 8785', () => {
    // The examples of the RFC: order of keys, numbers, escapes.
    const keys = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(keys)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
    const mixed = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(mixed)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(() => canonicalJson(Number.NaN)).toThrow('no number of JSON');
    expect(() => canonicalJson(['\ud800'])).toThrow('no text of Unicode');
  });

  test('[RU66] the digest covers the fields that were shown', async () => {
    const id = await proposed(here);
    const text =
      `{"adoption":null,"keywords":["delivery time","hook rail"],"kind":"rule","quote":${JSON.stringify(QUOTE)},"ref":"rule/${id}@1",` +
      `"relations":[{"kind":"product","name":"Hook rail","ref":null}],"said_at":"2026-03-12T09:00:00Z",` +
      `"source":{"id":"${MAIL_ID}","link":"https://mail.example.com/1","occurred_at":"2026-03-12T09:00:00Z","sender":"supplier@example.com","title":"Hook rails"},` +
      `"speaker":"Ada","statement":${JSON.stringify(proposal().statement)},"supersedes":null,"timestamp_s":null,"valid_from":"2026-03-12"}`;
    expect(await shown(id)).toBe(createHash('sha256').update(text).digest('hex'));
    const others = [
      await proposed(here),
      await proposed(here, { speaker: null }),
      await proposed(here, { keywords: [] }),
    ];
    expect(new Set([await shown(id), ...(await Promise.all(others.map(shown)))]).size).toBe(4);
  });

  test('[RU68] a mail is shown whole, with the quote marked', async () => {
    const id = await proposed(here, {
      source: { ...proposal().source, quote: `Please ask: for the DELIVERY time “before” you order` },
    });
    const { context, source, history, decisions, replaces } = await here.do('showRule', { id }, ANNA, 'approval');
    expect(context.text).toBe(MAIL_TEXT);
    expect(context.text.slice(context.mark.start, context.mark.end)).toBe(
      'please ask for the delivery time before you order',
    );
    expect([source.title, source.sender, history.length, decisions, replaces]).toEqual([
      'Hook rails',
      'supplier@example.com',
      1,
      [],
      null,
    ]);
  });

  test('[RU68] a meeting is shown around its second, own words without context', async () => {
    await here.do('storeSource', meeting(), FEEDER);
    const quote = 'we ship to Switzerland only with customs papers';
    const id = await proposed(here, {
      source: { kind: 'jamie', id: 'jamie:weekly-1', quote, timestamp_s: 305, link: 'https://x.example' },
    });
    const { context } = await here.do('showRule', { id }, ANNA, 'approval');
    expect(
      context.segments.map((one: { time: string; text: string; mark: { start: number; end: number } }) => [
        one.time,
        one.text.slice(one.mark.start, one.mark.end),
      ]),
    ).toEqual([
      ['5:00', 'we ship'],
      ['5:10', 'to Switzerland only with customs papers'],
    ]);
    const own = await proposed(here, { source: { kind: 'manual', quote: 'mine', link: null } });
    expect((await here.do('showRule', { id: own }, ANNA, 'approval')).context).toBeNull();
  });

  test('[RU68] thread, attachments, history, decisions with identity, and the rule that goes', async () => {
    const attachment = {
      filename: 'a.pdf',
      media_type: 'application/pdf',
      size: 3,
      external: null,
      text: null,
      text_origin: null,
    };
    const reply = mail(
      { id: 'mail:<2@example.com>', thread: MAIL_ID, occurred_at: '2026-03-12T09:30:00Z' },
      { attachments: [attachment] },
    );
    await here.do('storeSource', reply, FEEDER);
    const old = await confirmed(here);
    const id = await confirmed(here, { source: { ...proposal().source, id: 'mail:<2@example.com>' }, supersedes: old });
    const page = await here.do('showRule', { id }, ANNA, 'approval');
    expect(page.thread.map((one: { ref: string }) => one.ref)).toEqual([`source/${MAIL_ID}`]);
    expect(page.attachments.map((one: { ref: string }) => one.ref)).toEqual(['attachment/mail:<2@example.com>#1']);
    expect(page.replaces.status).toBe('superseded');
    expect(page.history.map((one: { status: string }) => one.status)).toEqual(['proposed', 'confirmed']);
    expect(page.decisions[0].decided_by_identity).toBe('person1@example.com');
    expect(await refusal(here.do('showRule', { id: 'sales-0099' }, ANNA, 'approval'))).toEqual({ code: 'not-found' });
  });

  test('[RU68] the inbox holds what waits, filtered by scope and text', async () => {
    await proposed(here);
    const second = await proposed(here, { statement: 'Invoices are paid within thirty days' });
    await confirmed(here);
    const all = await here.do('inbox', {}, ANNA, 'approval');
    expect(all.scopes.map((one: { scope: string; waiting: number }) => [one.scope, one.waiting])).toEqual([
      ['sales', 2],
      ['legal', 0],
    ]);
    const filtered = await here.do('inbox', { scope: 'sales', text: 'INVOICES' }, ANNA, 'approval');
    expect(filtered.scopes).toHaveLength(1);
    expect(filtered.scopes[0].proposals.map((one: { rule_id: string }) => one.rule_id)).toEqual([second]);
  });
});
