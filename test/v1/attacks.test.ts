import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmed, decide, mail, meeting, proposal, proposed, QUOTE } from '../rules/world.ts';
import {
  PUBLIC_URL,
  rpc,
  SERVICE,
  SESSION_SECRET,
  sessionCookie,
  world,
  type Answer,
  type Ask,
  type World,
} from './world.ts';

/** Stands in the rejected rule and nowhere else. */
const GONE = 'zyxwvut';

let w: World;
let anna: string;
const ids = {} as Record<'kept' | 'gone' | 'open', string>;

beforeAll(async () => {
  w = await world({
    async fill(rules) {
      ids.kept = await confirmed(rules);
      ids.gone = await proposed(rules, {
        statement: `Never ask anybody about ${GONE} rails at all`,
        source: { kind: 'mail', id: 'mail:<delivery-1@example.com>', quote: QUOTE, link: null },
        keywords: [GONE, 'hook rail'],
        supersedes: ids.kept,
      });
      await decide(rules, ids.gone, { decision: 'reject', version: 1, reason: `${GONE} is wrong` });
      ids.open = await proposed(rules);
    },
  });
  anna = await w.tokenOf('anna');
});
afterAll(() => w.end());

const versions = async (): Promise<unknown> =>
  w.ask('GET', '/v1/status', { token: SERVICE }).then(({ json }) => json.scopes);
const codeOf = ({ json }: Answer): unknown =>
  json?.error ??
  json?.result?.structuredContent?.error ??
  (json?.result?.isError ? JSON.parse(json.result.content[0].text).error : 'none');

interface Way {
  readonly route?: readonly [method: string, path: string, body?: unknown];
  readonly tool?: readonly [name: string, args: object];
}
const asked = async ({ route, tool }: Way, how: Ask = {}): Promise<Answer> => {
  if (tool) return w.tool(anna, tool[0], tool[1]);
  const [method, path, body] = route!;
  return w.ask(method, path, { token: SERVICE, ...how, ...(body === undefined ? {} : { body }) });
};

describe('a rejected rule', () => {
  const reads = (): Way[] => {
    const search = { scopes: ['sales'], terms: [GONE], include_proposals: true, limit: 50 };
    const related = { scopes: ['sales'], text: `hook rails ${GONE}`, include_proposals: true, limit: 50 };
    const days = ['2020-01-01', '2026-03-12', '2099-12-31'];
    const lists = [
      '',
      '&status=proposed',
      '&status=confirmed',
      '&status=superseded',
      '&kind=rule',
      '&relation=product:hook%20rail',
    ];
    const ref = `rule/${ids.gone}`;
    return [
      ...days.map((as_of): Way => ({ route: ['POST', '/v1/search', { ...search, as_of }] })),
      ...days.map((as_of): Way => ({ tool: ['search_rules', { ...related, as_of, detail: 'full' }] })),
      { route: ['POST', '/v1/search', related] },
      { tool: ['search_rules', related] },
      ...lists.map((more): Way => ({ route: ['GET', `/v1/rules?scope=sales${more}`] })),
      { route: ['GET', '/v1/rules?scope=sales&status=rejected'] },
      { tool: ['list_rules', { scope: 'sales' }] },
      ...['', '?version=1', '?version=2', ...days.map(day => `?as_of=${day}`)].map((more): Way => ({
        route: ['GET', `/v1/rules/${ids.gone}${more}`],
      })),
      ...[ref, `${ref}@1`, `${ref}@2`].map((one): Way => ({ tool: ['read_rule', { ref: one }] })),
      { route: ['GET', `/v1/rules/${ids.gone}/provenance`] },
      { tool: ['provenance', { ref }] },
      { route: ['GET', `/v1/rules/${ids.kept}`] },
      { tool: ['read_rule', { ref: `rule/${ids.kept}` }] },
      { route: ['GET', '/v1/proposals?scope=sales'] },
      { tool: ['list_proposals', { scope: 'sales' }] },
      { route: ['POST', '/v1/proposals', proposal({ keywords: [GONE, 'hook rail'] })] },
      { route: ['GET', '/v1/status'] },
      { tool: ['scopes', {}] },
    ];
  };

  test('[AK1] is nowhere in any answer to agents and programs', async () => {
    for (const way of reads()) {
      const { text } = await asked(way);
      const own = way.route?.[1] === '/v1/search' || way.tool?.[0] === 'search_rules';
      // The words that were asked for come back as terms; the statement never does.
      expect([way, text.includes(`about ${GONE}`), text.includes('is wrong'), text.includes('rejected":')]).toEqual([
        way,
        false,
        false,
        false,
      ]);
      const quiet = own || text.includes('validation-failed') || !text.includes(GONE);
      expect([way, quiet]).toEqual([way, true]);
      expect([way, new RegExp(`rule/${ids.gone}`).test(text)]).toEqual([way, false]);
    }
  });

  test('[AK1] answers every question about it as a rule that never was', async () => {
    const never = 'sales-4711';
    for (const path of ['', '?version=1', '?version=2', '?as_of=2026-03-12', '/provenance']) {
      const [one, other] = [ids.gone, never].map(id => w.ask('GET', `/v1/rules/${id}${path}`, { token: SERVICE }));
      const [gone, unknown] = [await one!, await other!];
      expect([path, gone.status, gone.text]).toEqual([path, 404, unknown.text]);
    }
    for (const supersedes of [ids.gone, never]) {
      const answer = await w.ask('POST', '/v1/proposals', { token: SERVICE, body: proposal({ supersedes }) });
      expect([answer.status, answer.json.error]).toEqual([422, 'reference-unknown']);
    }
  });
});

describe('a scope that is not granted', () => {
  /** Every way to name a scope or something in one; `at` is put where the scope belongs. */
  const named = (at: string): Way[] => [
    { route: ['POST', '/v1/search', { scopes: [at], text: 'x' }] },
    { route: ['POST', '/v1/search', { scopes: ['sales', at], cross_scope: true, text: 'x' }] },
    { route: ['POST', '/v1/search', { scopes: ['sales', at], text: 'x' }] },
    { route: ['GET', `/v1/rules?scope=${at}`] },
    { route: ['GET', `/v1/rules?scope=sales&after=${at}-0001`] },
    { route: ['GET', `/v1/rules/${at}-0001`] },
    { route: ['GET', `/v1/rules/${at}-0001?version=2`] },
    { route: ['GET', `/v1/rules/${at}-0001/provenance`] },
    { route: ['GET', `/v1/proposals?scope=${at}`] },
    { route: ['GET', `/v1/proposals?scope=sales&after=${at}-0001`] },
    { route: ['POST', '/v1/proposals', proposal({ scope: at })] },
    { route: ['POST', '/v1/proposals', proposal({ supersedes: `${at}-0001` })] },
    { route: ['POST', '/v1/sources', { ...mail(), scope: at }] },
    { route: ['GET', `/v1/sources/${encodeURIComponent('mail:<delivery-1@example.com>')}?scope=${at}`] },
    { tool: ['search_rules', { scopes: [at], text: 'x' }] },
    { tool: ['read_rule', { ref: `rule/${at}-0001@2` }] },
    { tool: ['list_rules', { scope: at }] },
    { tool: ['list_rules', { scope: 'sales', after: `${at}-0001` }] },
    { tool: ['provenance', { ref: `rule/${at}-0001` }] },
    { tool: ['propose_rule', proposal({ scope: at })] },
    { tool: ['propose_rule', proposal({ supersedes: `${at}-0001` })] },
    { tool: ['list_proposals', { scope: at }] },
  ];

  test('[AK2] is refused wherever it is named, in the same words whether it exists or not', async () => {
    // "unmade" is configured here, "nowhere" is not; neither is granted.
    const [real, unreal] = [named('unmade'), named('nowhere')];
    for (const [index, way] of real.entries()) {
      const [one, other] = [await asked(way), await asked(unreal[index]!)];
      expect([way, codeOf(one)]).toEqual([way, 'scope-not-allowed']);
      expect([way, one.status, one.text.replaceAll('unmade', 'nowhere')]).toEqual([way, other.status, other.text]);
    }
  });
});

describe('too much', () => {
  test('[AK3] a body of 20 MB is refused on every route, and the server goes on', async () => {
    const body = JSON.stringify({ scope: 'sales', text: 'x'.repeat(20_000_000) });
    for (const path of ['/v1/search', '/v1/proposals', '/v1/sources', `/v1/search/${crypto.randomUUID()}/feedback`]) {
      const answer = await w.ask('POST', path, { token: SERVICE, body });
      expect([path, answer.status, answer.json.error]).toEqual([path, 413, 'payload-too-large']);
    }
    const big = await w.ask('POST', '/mcp/rules', {
      token: anna,
      body: rpc('tools/call', { name: 'propose_rule', arguments: proposal({ statement: 'x'.repeat(20_000_000) }) }),
    });
    expect([big.status, big.json.result.isError]).toEqual([200, true]);
    expect(big.text.length).toBeLessThan(100_000);
    expect((await w.ask('GET', '/v1/status', { token: SERVICE })).status).toBe(200);
  });

  test('[AK3] every text has its longest, and one character more is refused', async () => {
    const long = (length: number): string => 'é'.repeat(length);
    const quote = (length: number) => ({ kind: 'manual', quote: long(length), link: null });
    const fields: readonly (readonly [name: string, of: (length: number) => Record<string, unknown>, most: number])[] =
      [
        ['statement', length => ({ statement: long(length) }), 500],
        ['quote', length => ({ source: quote(length) }), 2000],
        ['speaker', length => ({ source: quote(9), speaker: long(length) }), 200],
        ['keyword', length => ({ source: quote(9), keywords: [long(length)] }), 100],
        ['keywords', length => ({ source: quote(9), keywords: Array.from({ length }, (_, at) => `word ${at}`) }), 30],
        [
          'relation',
          length => ({ source: quote(9), relations: [{ kind: 'product', name: long(length), ref: null }] }),
          200,
        ],
        ['ref', length => ({ source: quote(9), relations: [{ kind: 'product', name: 'x', ref: long(length) }] }), 200],
        [
          'relations',
          length => ({
            source: quote(9),
            relations: Array.from({ length }, () => ({ kind: 'product', name: 'x', ref: null })),
          }),
          20,
        ],
      ];
    for (const [name, over, most] of fields) {
      const send = (length: number) => w.ask('POST', '/v1/proposals', { token: SERVICE, body: proposal(over(length)) });
      expect([name, (await send(most)).status]).toEqual([name, 201]);
      const answer = await send(most + 1);
      expect([name, answer.status, answer.json.error]).toEqual([name, 400, 'validation-failed']);
      expect(answer.text.length).toBeLessThan(5000);
    }
  });

  test('[AK3] numbers, kinds and unknown fields out of range are refused', async () => {
    const bodies: readonly (readonly [path: string, body: object])[] = [
      ['/v1/search', { scopes: ['sales'], text: 'x', limit: 51 }],
      ['/v1/search', { scopes: ['sales'], text: 'x', limit: 1e9 }],
      ['/v1/search', { scopes: ['sales'], text: 'x', limit: '10' }],
      ['/v1/search', { scopes: [], text: 'x' }],
      ['/v1/search', { scopes: 'sales', text: 'x' }],
      ['/v1/search', { scopes: ['sales'] }],
      ['/v1/search', { scopes: ['sales'], text: 'x', detail: 'full' }],
      ['/v1/search', { scopes: ['sales'], text: 'x', as_of: '2026-02-30' }],
      ['/v1/proposals', { ...proposal(), status: 'confirmed' }],
      ['/v1/proposals', { ...proposal(), said_at: '2026-03-12T09:00:00+01:00' }],
      ['/v1/proposals', { ...proposal(), said_at: 'yesterday' }],
      ['/v1/proposals', { ...proposal(), valid_from: '2026-3-1' }],
      ['/v1/proposals', { ...proposal(), kind: 'law' }],
      [
        '/v1/proposals',
        { ...proposal(), source: { kind: 'jamie', id: 'jamie:x', quote: QUOTE, timestamp_s: -1, link: null } },
      ],
      ['/v1/sources', { ...mail(), text: undefined }],
      ['/v1/sources', { ...mail(), segments: meeting().segments }],
      ['/v1/sources', { ...meeting(), text: 'x' }],
      ['/v1/sources', mail({ link: 'javascript:alert(1)' })],
      ['/v1/sources', mail({ link: 'https://example.com/\0' })],
      ['/v1/sources', mail({ id: 'mail:no-brackets@example.com' })],
      ['/v1/sources', meeting({}, { segments: meeting().segments.toReversed() })],
    ];
    for (const [path, body] of bodies) {
      const answer = await w.ask('POST', path, { token: SERVICE, body });
      expect([body, answer.status, answer.json.error]).toEqual([body, 400, 'validation-failed']);
    }
  });
});

describe('deciding without being asked to', () => {
  const path = (): string => `/v1/rules/${ids.open}/decision`;
  const body = { decision: 'confirm', version: 1 };
  const HOUR = Math.floor(Date.now() / 1000) + 3600;
  const cookieOf = (identity: string, secret?: string, exp = HOUR): string => sessionCookie(identity, exp, secret);
  const csrfOf = (identity: string, secret = SESSION_SECRET): string =>
    createHmac('sha256', secret).update(`csrf\0${identity}`).digest('base64url');
  const person = 'anna@example.com';
  const whole = () => ({ cookie: cookieOf(person), origin: PUBLIC_URL, csrf: csrfOf(person) });

  test('[AK4] takes a session of ours, a page of ours and its token, each of them', async () => {
    const other = 'another-session-secret-of-more-than-32-chars';
    const tries: readonly (readonly [headers: Record<string, string>, status: number, code: string])[] = [
      [{}, 401, 'unauthorized'],
      [{ ...whole(), cookie: '' }, 401, 'unauthorized'],
      [{ ...whole(), cookie: cookieOf(person, other) }, 401, 'unauthorized'],
      [{ ...whole(), cookie: cookieOf(person, undefined, 1) }, 401, 'unauthorized'],
      [{ ...whole(), cookie: cookieOf(person).replace('__Host-', '') }, 401, 'unauthorized'],
      [{ ...whole(), cookie: cookieOf('nobody@example.com') }, 401, 'unauthorized'],
      [{ ...whole(), csrf: csrfOf('foreign@example.com') }, 403, 'csrf-failed'],
      [{ ...whole(), csrf: csrfOf(person, other) }, 403, 'csrf-failed'],
      [{ ...whole(), csrf: '' }, 403, 'csrf-failed'],
      [{ ...whole(), origin: 'https://evil.example.com' }, 403, 'csrf-failed'],
      [{ ...whole(), origin: 'null' }, 403, 'csrf-failed'],
      [{ cookie: whole().cookie, csrf: whole().csrf }, 403, 'csrf-failed'],
      [{ ...whole(), authorization: `Bearer ${anna}` }, 401, 'unauthorized'],
      [
        {
          ...whole(),
          cookie: cookieOf('reader@example.com'),
          csrf: csrfOf('reader@example.com'),
        },
        403,
        'channel-not-allowed',
      ],
      [
        {
          ...whole(),
          cookie: cookieOf('foreign@example.com'),
          csrf: csrfOf('foreign@example.com'),
        },
        403,
        'scope-not-allowed',
      ],
    ];
    for (const [headers, status, code] of tries) {
      const answer = await w.ask('POST', path(), { headers, body });
      expect([headers, answer.status, answer.json.error]).toEqual([headers, status, code]);
    }
    const [rule] = (await w.ask('GET', '/v1/proposals?scope=sales', { token: SERVICE })).json.proposals;
    expect(rule.ref).toBe(`rule/${ids.open}@1`);
  });

  test('[AK4] what was sent once is not taken twice, nor with another digest', async () => {
    const headers = whole();
    const stale = await w.ask('POST', path(), { headers: { ...headers, 'if-match': `"${'0'.repeat(64)}"` }, body });
    expect([stale.status, stale.json]).toEqual([
      409,
      { error: 'version-outdated', message: expect.any(String), current: `rule/${ids.open}@1` },
    ]);
    const first = await w.ask('POST', path(), { headers, body });
    expect([first.status, first.json.status]).toEqual([200, 'confirmed']);
    const again = await w.ask('POST', path(), { headers, body });
    expect([again.status, again.json.error, again.json.current]).toEqual([
      409,
      'version-outdated',
      `rule/${ids.open}@2`,
    ]);
  });

  test('[AK5] no tool decides, whatever it is called', async () => {
    const before = await versions();
    for (const name of [
      'confirm_rule',
      'decide',
      'reject',
      'revoke',
      'review',
      'approve',
      'list_rejected',
      'export_scope',
      'show_rule',
      'inbox',
    ]) {
      for (const endpoint of ['/mcp', '/mcp/rules', '/mcp/pages']) {
        const { json } = await w.tool(anna, name, { ref: `rule/${ids.kept}`, version: 2, reason: 'x' }, endpoint);
        expect([name, json.result === undefined || json.result.isError]).toEqual([name, true]);
      }
    }
    expect(await versions()).toEqual(before);
  });
});
