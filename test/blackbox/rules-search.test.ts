import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idOf, mail, meeting, proposal, refusal, startRules, type Rules } from './rules.ts';

let cairn: Rules;
const ids: Record<string, string> = {};
const own = (statement: string, over: object = {}) => ({
  statement,
  source: { kind: 'manual', quote: 'own words', link: null },
  ...over,
});
beforeAll(async () => {
  cairn = await startRules({ config: { search: { synonyms: [['stacker', 'forklift truck']] } } });
  const statements: Record<string, string> = {
    colour: 'Handläufe werden immer in RAL 9005 lackiert',
    buying: 'Schraubenschlüssel werden nur von Müller Großhandel gekauft',
    doors: 'Fire doors are checked twice a year',
    truck: 'A forklift truck may be moved by trained people alone',
    price: 'Retrofit kits cost seventy percent of the list price',
  };
  for (const [name, statement] of Object.entries(statements)) ids[name] = await cairn.confirmed(name, own(statement));
  ids['waits'] = await cairn.proposed('waits', own('Unicorn saddles need approval of the board'));
  ids['later'] = await cairn.confirmed('later', own('Penguins are fed at noon', { valid_from: '2099-01-01' }));
});
afterAll(() => cairn.stop());

const search = (body: object) => cairn.v1('POST', '/v1/search', { scopes: ['sales'], ...body });
const found = async (body: object): Promise<string[]> =>
  (await search(body)).json.bundles.map((bundle: { head: { ref: string } }) => idOf(bundle.head.ref));

describe('what is asked', () => {
  test.each<[string, object]>([
    ['neither text nor terms', {}],
    ['no terms', { terms: [] }],
    ['too long a text', { text: 'x'.repeat(20_001) }],
    ['too many terms', { terms: Array.from({ length: 21 }, () => 'x') }],
    ['a limit of 51', { text: 'x', limit: 51 }],
    ['a limit that is text', { text: 'x', limit: '5' }],
    ['a day that is none', { text: 'x', as_of: '2026-02-30' }],
    ['detail, which is for agents', { text: 'x', detail: 'full' }],
    ['a relation with a ref', { text: 'x', relation: { kind: 'customer', name: 'x', ref: null } }],
    ['an entity, which is not there yet', { text: 'x', entity: 'sales-e0001' }],
  ])('[RU70] %s is refused', async (_, body) => {
    expect(refusal(await search(body))).toBe('400 validation-failed');
  });

  test.each<object>([
    { text: '"foo* OR NEAR( bar) - : ^' },
    { terms: ['a"b', 'NOT'] },
    { text: '!!! ???' },
    { text: 'the and und der' },
    { text: 'x', as_of: null },
    { text: 'x', relation: { kind: 'customer', name: 'x'.repeat(300) } },
  ])('[RU70, RU72] %j is fine and finds nothing', async body => {
    const { status, json } = await search(body);
    expect([status, json.bundles, json.abstained]).toEqual([
      200,
      [],
      { reason: 'no-candidate', best_coverage: null, min_coverage: 0 },
    ]);
  });
});

describe('what is found', () => {
  test.each([
    ['RAL9005', 'colour'],
    ['ral-9005', 'colour'],
    ['Mueller Grosshandel', 'buying'],
    ['muller', 'buying'],
    ['Schlüssel', 'buying'],
    ['fire door', 'doors'],
    ['stacker', 'truck'],
    ['retrofitt kit', 'price'],
  ])('[RU82] %s', async (text, name) => {
    expect((await found({ text }))[0]).toBe(ids[name]);
  });

  test('[RU70, RU72] terms, variants, coverage and why it was found', async () => {
    const { json } = await search({ text: 'Welche Farbe, RAL 9005?', terms: ['list price'] });
    expect(json.query.terms.slice(0, 2)).toEqual(['list price', 'ral9005']);
    expect(Object.keys(json)).toEqual(['search_id', 'scopes', 'stages', 'query', 'bundles', 'abstained']);
    expect(json.stages.b).toEqual({ state: 'off', duration_ms: null, reason: 'disabled in config' });
    const part = (await search({ text: 'fire doors zebra' })).json.bundles[0].head;
    expect([part.found_via, part.matched_terms, part.coverage > 0 && part.coverage < 1]).toEqual([
      ['doors', 'fire'],
      2,
      true,
    ]);
    expect((await search({ text: 'fire doors' })).json.bundles[0].head).toMatchObject({
      coverage: 1,
      matched_terms: 2,
    });
    expect([await found({ terms: ['price list'] }), await found({ terms: ['list price'] })]).toEqual([
      [],
      [ids['price']],
    ]);
  });

  test('[RU71] what holds on the day, proposals on request', async () => {
    expect([await found({ text: 'unicorn saddles' }), await found({ text: 'penguins' })]).toEqual([[], []]);
    expect(await found({ text: 'penguins', as_of: '2099-01-01' })).toEqual([ids['later']]);
    const { head, line } = (await search({ text: 'unicorn saddles', include_proposals: true })).json.bundles[0];
    expect([head.status, head.unconfirmed]).toEqual(['proposed', true]);
    expect(line).toBe(
      'Unconfirmed Rule from 2026-03-12: Unicorn saddles need approval of the board; proposed 0 days ago, not confirmed',
    );
  });

  test('[RU71, RU76] what a search of a past day finds is read on that day', async () => {
    const old = await cairn.confirmed('old', own('The aviary opens at seven', { valid_from: '2026-01-01' }));
    await cairn.confirmed('new', own('The aviary opens at eight', { valid_from: '2026-06-01', supersedes: old }));
    expect(await found({ text: 'aviary seven', as_of: '2026-03-01' })).toEqual([old]);
    expect((await cairn.v1('GET', `/v1/rules/${old}?as_of=2026-03-01`)).json.head.ref).toBe(`rule/${old}@3`);
    expect((await cairn.v1('GET', `/v1/rules/${old}?as_of=2025-12-31`)).status).toBe(404);
    expect(await found({ text: 'aviary seven' })).not.toContain(old);
  });

  test('[RU73] scopes are shown in turns, those of the request first', async () => {
    for (const n of [1, 2]) {
      const { json } = await cairn.v1('POST', '/v1/proposals', {
        ...proposal(n, own(`Fire doors of lot ${n}`)),
        scope: 'tech',
      });
      await cairn.decide(idOf(json.ref), { decision: 'confirm', version: 1 });
    }
    const { json } = await search({ scopes: ['tech', 'sales'], cross_scope: true, text: 'fire doors' });
    expect(json.bundles.map((bundle: { head: { scope: string } }) => bundle.head.scope)).toEqual([
      'tech',
      'sales',
      'tech',
    ]);
  });

  test('[RU81] feedback is for whoever searched, and for rules of scopes that were searched', async () => {
    const { search_id: id, bundles } = (await search({ text: 'fire doors' })).json;
    const { ref } = bundles[0].head;
    const say = (body: object, of = id) => cairn.v1('POST', `/v1/search/${of}/feedback`, body);
    const good = { bundles: [{ ref, verdict: 'relevant' }], missing: [`rule/${ids['colour']}`] };
    expect((await say(good)).json).toEqual({ recorded: 2 });
    expect(refusal(await say({ bundles: [], missing: [] }))).toBe('400 validation-failed');
    const elsewhere = [await say({ ...good, missing: ['rule/tech-0001'] }), await say(good, crypto.randomUUID())];
    expect(elsewhere.map(refusal)).toEqual(['404 not-found', '404 not-found']);
    expect(elsewhere[0]!.text).toBe(elsewhere[1]!.text);
  });
});

describe('bundles', () => {
  test('[RU74, RU80, RU85] source, thread, attachments and related rules, newest first and five at most', async () => {
    const root = 'mail:<mroot@example.org>';
    await cairn.v1('POST', '/v1/sources', mail('root', { occurred_at: '2026-02-01T08:00:00Z' }));
    const files = [
      { filename: 'plan.pdf', media_type: 'a/b', size: 1, external: null, text: 'x'.repeat(400), text_origin: 'ocr' },
      { filename: 'photo.png', media_type: 'a/b', size: null, external: null, text: null, text_origin: null },
    ];
    for (let n = 0; n < 6; n++)
      await cairn.v1(
        'POST',
        '/v1/sources',
        mail(
          `t${n}`,
          { thread: root, occurred_at: `2026-02-0${n + 2}T08:00:00Z` },
          { attachments: n === 5 ? files : [] },
        ),
      );
    const relations = [{ kind: 'customer', name: 'Acme', ref: null }];
    const id = await cairn.confirmed('t5', { relations, said_at: '2026-03-12T23:30:00Z' });
    await cairn.confirmed('acme', own('Acme gets a discount', { relations: [{ ...relations[0], name: 'ACME' }] }));
    await cairn.proposed('open', own('Acme might get more', { relations }));
    const { groups, line } = (await cairn.v1('GET', `/v1/rules/${id}`)).json;
    expect(
      groups.map((group: { kind: string; count: number; more: number }) => [group.kind, group.count, group.more]),
    ).toEqual([
      ['source', 1, 0],
      ['thread', 6, 1],
      ['attachment', 2, 0],
      ['same-relation', 1, 0],
    ]);
    expect(groups[1].entries.map((entry: { ref: string }) => entry.ref)).toEqual(
      [4, 3, 2, 1, 0].map(n => `source/mail:<mt${n}@example.org>`),
    );
    expect(groups[2].entries.map((entry: { excerpt: string | null }) => entry.excerpt?.length)).toEqual([
      300,
      undefined,
    ]);
    expect(line).toBe(
      'Rule from 2026-03-13: Ask the supplier for the delivery time of lot t5 before ordering — ' +
        'with 1 mail, 6 mails in thread, 2 attachments (1 unread), 1 related rule; last reviewed 0 days ago',
    );
    const evidence = (await cairn.v1('GET', `/v1/rules/${id}/provenance`)).json;
    expect([evidence.thread.length, evidence.excerpt, evidence.segments]).toEqual([6, mail('t5').text, null]);
    expect(evidence.attachments.map((file: { text_origin: string }) => file.text_origin)).toEqual(['ocr', 'none']);
  });

  test.each([
    [65, '1:05'],
    [3725, '1:02:05'],
    [0, '0:00'],
  ])('[RU74, RU80] second %i of a meeting is %s', async (timestamp_s, shown) => {
    const name = `at${timestamp_s}`;
    await cairn.v1(
      'POST',
      '/v1/sources',
      meeting(name, [
        { start_s: timestamp_s, speaker: 'Anna', text: 'The walrus pool opens at nine' },
        { start_s: timestamp_s + 500, speaker: null, text: 'Later' },
      ]),
    );
    const source = {
      kind: 'jamie',
      id: `jamie:${name}`,
      quote: 'the walrus pool opens at nine',
      timestamp_s,
      link: 'https://meetings.example/1',
    };
    const id = await cairn.proposed(name, { source });
    expect((await cairn.v1('GET', `/v1/rules/${id}`)).json.head.source.timestamp).toBe(shown);
    expect((await cairn.v1('GET', `/v1/rules/${id}/provenance`)).json).toMatchObject({
      excerpt: `[${shown}] Anna: The walrus pool opens at nine`,
      segments: [{ start_s: timestamp_s, speaker: 'Anna', text: 'The walrus pool opens at nine' }],
    });
  });
});
