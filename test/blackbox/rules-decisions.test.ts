import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANNA, csrfOf, refusal, sha256, startRules, type Rules } from './rules.ts';

const TOM = 'tom@example.org';
let cairn: Rules;
beforeAll(async () => {
  cairn = await startRules();
  await cairn.grant(TOM, ['sales'], ['read', 'propose', 'decide']);
});
afterAll(() => cairn.stop());

const read = async (id: string, query = '') => (await cairn.v1('GET', `/v1/rules/${id}${query}`)).json;
const confirm = { decision: 'confirm', version: 1 };
const reject = { decision: 'reject', version: 1, reason: 'no' };
const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
const revoke = (version: number, valid_until = day(0)) => ({
  decision: 'revoke',
  version,
  reason: 'over',
  valid_until,
});
/** RFC 8785 for what JSON.parse gives. */
const canonical = (value: unknown): string =>
  value === null || typeof value !== 'object'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? `[${value.map(canonical).join()}]`
      : `{${Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
          .join()}}`;

describe('the order of refusals', () => {
  test.each<[string, object, string]>([
    ['evidence', { decision: 'x', change: { quote: 'x' }, foo: 1 }, '400 source-immutable'],
    ['evidence of a rejection', { ...reject, reason: '', change: { link: 'x' } }, '400 source-immutable'],
    ['a blank reason', { ...reject, reason: ' \n', version: 'x' }, '400 reason-missing'],
    ['no reason', { decision: 'revoke' }, '400 reason-missing'],
    ['a version that is text', { ...confirm, version: '1' }, '400 validation-failed'],
    ['an unknown key', { ...confirm, foo: 1 }, '400 validation-failed'],
    [
      'a review of the statement',
      { ...confirm, decision: 'review', change: { statement: 'a long one' } },
      '400 validation-failed',
    ],
    ['a revocation without a day', { ...reject, decision: 'revoke' }, '400 validation-failed'],
    ['a rule that is not there', confirm, '404 not-found'],
  ])('[RU60] %s', async (_, body, refused) => {
    expect(refusal(await cairn.decide('sales-9999', body))).toBe(refused);
  });

  test('[RU60, RU64] by the state of the rule, always with the version that is current', async () => {
    const [open, taken, gone] = [await cairn.proposed(1), await cairn.confirmed(2), await cairn.proposed(3)];
    expect((await cairn.decide(gone, reject)).json).toMatchObject({ ref: `rule/${gone}@2`, status: 'rejected' });
    const ways: [string, object, string, string?][] = [
      [open, { ...confirm, version: 2 }, '409 version-outdated', `rule/${open}@1`],
      [open, revoke(2), '409 version-outdated', `rule/${open}@1`],
      [open, revoke(1), '400 validation-failed'],
      [open, { decision: 'review', version: 1 }, '400 validation-failed'],
      [taken, confirm, '409 version-outdated', `rule/${taken}@2`],
      [taken, { ...confirm, version: 2 }, '409 already-decided', `rule/${taken}@2`],
      [taken, { ...reject, version: 2 }, '409 already-decided', `rule/${taken}@2`],
      [taken, revoke(2, '2026-03-11'), '400 validation-failed'],
      [gone, confirm, '409 already-decided', `rule/${gone}@2`],
      [gone, { ...confirm, version: 2 }, '409 already-decided', `rule/${gone}@2`],
    ];
    for (const [id, body, refused, current] of ways) {
      const answer = await cairn.decide(id, body);
      expect([body, refusal(answer), answer.json.current]).toEqual([body, refused, current]);
    }
  });
});

describe('what a decision does', () => {
  test('[RU61] confirming takes every change and keeps the evidence', async () => {
    const id = await cairn.proposed(4);
    const change = {
      statement: 'Something else that is long enough',
      kind: 'note',
      keywords: ['aa', 'bb'],
      relations: [{ kind: 'supplier', name: 'Hook & Sons', ref: null }],
      valid_from: '2026-01-05',
      said_at: '2026-01-04T00:00:00Z',
      speaker: 'Bob',
      supersedes: null,
    };
    const { json } = await cairn.decide(id, { ...confirm, change, reason: 'clearer' });
    expect(json).toEqual({
      ref: `rule/${id}@2`,
      status: 'confirmed',
      decision: {
        kind: 'confirm',
        version: 1,
        decided_by: 'person:1',
        decided_at: expect.stringMatching(/Z$/),
        reason: 'clearer',
        new_version: 2,
        origin: 'grant',
        mode: 'manual',
      },
    });
    const { version, history } = await read(id);
    expect(version).toMatchObject({ ...change, source: { quote: 'ask the supplier for the delivery time of lot 4' } });
    expect(history.map((one: { status: string }) => one.status)).toEqual(['proposed', 'confirmed']);
  });

  test('[RU62, RU63, RU74] a successor ends its predecessor on the day that it starts, and no other can', async () => {
    const old = await cairn.confirmed(5, { valid_from: '2026-05-01' });
    const next = await cairn.confirmed(6, { valid_from: '2026-06-01', supersedes: old });
    const [before, after] = [await read(old), await read(next)];
    expect(before.version).toMatchObject({
      version: 3,
      status: 'superseded',
      valid_until: '2026-06-01',
      superseded_by: next,
    });
    expect(before.line).toMatch(new RegExp(`^Superseded Rule from .* superseded by ${next};`));
    expect(after.line).toContain(`replaces ${old}`);
    const third = await cairn.confirmed(7, { valid_from: '2026-05-01' });
    const [early, late] = [
      await cairn.proposed(8, { valid_from: '2026-04-30', supersedes: third }),
      await cairn.proposed(9, { valid_from: '2026-05-02', supersedes: third }),
    ];
    const refused = await cairn.decide(early, confirm);
    expect([refusal(refused), typeof refused.json.remedy]).toEqual(['422 reference-unknown', 'string']);
    expect((await cairn.decide(late, confirm)).status).toBe(200);
    const again = await cairn.decide(early, { ...confirm, change: { valid_from: '2026-05-03' } });
    expect([refusal(again), again.json.current]).toEqual(['409 already-decided', `rule/${third}@3`]);
    for (const supersedes of [early, 'sales-9999'])
      expect(refusal(await cairn.decide(early, { ...confirm, change: { supersedes } }))).toBe('422 reference-unknown');
  });

  test('[RU100, RU101] a review is a row alone unless it has keywords; a revocation ends without a successor', async () => {
    const id = await cairn.confirmed(10);
    const review = { decision: 'review', version: 2 };
    expect((await cairn.decide(id, review)).json).toMatchObject({
      ref: `rule/${id}@2`,
      decision: { new_version: null },
    });
    const { json } = await cairn.decide(id, { ...review, change: { keywords: ['quokka'] } });
    expect(json).toMatchObject({ ref: `rule/${id}@3`, decision: { kind: 'review', new_version: 3 } });
    const { head, decisions } = await read(id);
    expect(head.last_reviewed_at).toBe(decisions.at(-1).decided_at);
    expect((await cairn.decide(id, revoke(3))).json).toMatchObject({ ref: `rule/${id}@4`, status: 'superseded' });
    expect((await read(id)).version).toMatchObject({ valid_until: day(0), superseded_by: null });
  });

  test('[RU64, RU75] a rejected rule is nowhere for agents and programs', async () => {
    const id = await cairn.proposed(11, { statement: 'Zebras cross the yard at noon on Mondays' });
    await cairn.decide(id, reject);
    for (const query of ['', '?version=1', `?as_of=${day(1)}`, '/provenance'])
      expect(refusal(await cairn.v1('GET', `/v1/rules/${id}${query}`))).toBe('404 not-found');
    const asked = { scopes: ['sales'], text: 'zebras yard noon', include_proposals: true };
    expect((await cairn.v1('POST', '/v1/search', asked)).json.bundles).toEqual([]);
    expect(refusal(await cairn.v1('GET', '/v1/rules?scope=sales&status=rejected'))).toBe('400 validation-failed');
    expect((await cairn.page('GET', '/v1/rejected?scope=sales&q=zebras')).text).toContain(id);
  });
});

describe('deciders', () => {
  test('[RU65] of eight at once one wins', async () => {
    const id = await cairn.proposed(12);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => cairn.decide(id, at % 2 ? confirm : reject, { as: at % 3 ? ANNA : TOM })),
    );
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost.map(({ status, json }) => [status, json.current])).toEqual(
      Array.from({ length: 7 }, () => [409, `rule/${id}@2`]),
    );
  });

  test('[RU66, AP22] what was shown has a digest that anybody can compute', async () => {
    const id = await cairn.proposed(13);
    const [{ version: shown }, { source }] = [await read(id), await read(`${id}/provenance`)];
    const digest = sha256(
      canonical({
        ref: `rule/${id}@1`,
        kind: shown.kind,
        statement: shown.statement,
        quote: shown.source.quote,
        timestamp_s: null,
        source: {
          id: source.id,
          title: source.title,
          sender: source.sender,
          occurred_at: source.occurred_at,
          link: source.link,
        },
        said_at: shown.said_at,
        speaker: shown.speaker,
        relations: shown.relations,
        keywords: shown.keywords,
        valid_from: shown.valid_from,
        supersedes: shown.supersedes,
        adoption: null,
      }),
    );
    expect((await cairn.page('GET', `/approval/rules/${id}`)).text).toContain(digest);
    const other = await cairn.decide(id, confirm, { headers: { 'if-match': '0'.repeat(64) } });
    expect([refusal(other), other.json.current]).toEqual(['409 version-outdated', `rule/${id}@1`]);
    expect((await cairn.decide(id, confirm, { headers: { 'if-match': digest } })).status).toBe(200);
  });

  test('[AP23] by form: 303 to the page of the rule, or a page with the status and code', async () => {
    const id = await cairn.proposed(14);
    const shown = /[0-9a-f]{64}/.exec((await cairn.page('GET', `/approval/rules/${id}`)).text)![0];
    const send = (fields: Record<string, string>, origin = cairn.origin) =>
      cairn.page('POST', `/v1/rules/${id}/decision`, {
        headers: { origin },
        body: new URLSearchParams({
          csrf: csrfOf(ANNA),
          shown_sha256: shown,
          decision: 'confirm',
          version: '1',
          ...fields,
        }),
      });
    const ways: [Record<string, string>, number, string, string?][] = [
      [{ decision: 'reject', reason: ' ' }, 400, 'reason-missing'],
      [{ quote: 'x' }, 400, 'source-immutable'],
      [{ version: '7' }, 409, 'version-outdated'],
      [{ csrf: csrfOf(TOM) }, 403, 'csrf-failed'],
      [{}, 403, 'csrf-failed', 'https://evil.example'],
    ];
    for (const [fields, status, code, origin] of ways) {
      const answer = await send(fields, origin);
      expect([fields, answer.status, answer.headers.get('content-type')]).toEqual([
        fields,
        status,
        'text/html; charset=utf-8',
      ]);
      expect(answer.text).toContain(code);
    }
    const done = await send({ keywords: 'one, two ,three', statement: 'A statement that was typed in' });
    expect([done.status, done.headers.get('location')]).toEqual([303, `/approval/rules/${id}`]);
    expect((await read(id)).version).toMatchObject({
      keywords: ['one', 'two', 'three'],
      statement: 'A statement that was typed in',
    });
  });

  test('[RU67] what was decided stands after the server was killed', async () => {
    const id = await cairn.confirmed(15);
    await cairn.end('SIGKILL');
    const again = await startRules({ folder: cairn.folder, origin: cairn.origin });
    expect((await again.v1('GET', `/v1/rules/${id}`)).json.version).toMatchObject({ version: 2, status: 'confirmed' });
    expect((await again.decide(id, { decision: 'review', version: 2 })).status).toBe(200);
    cairn = again;
  });
});
