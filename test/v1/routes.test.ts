import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SearchResponse } from '../../src/rules/search/schema.ts';
import { ProposalCreated, ProposalList } from '../../src/rules/proposals/schema.ts';
import { Provenance, RuleList, RuleRead } from '../../src/rules/bundles/schema.ts';
import { StatusOut } from '../../src/rules/scopes/schema.ts';
import { SourceOut } from '../../src/rules/sources/schema.ts';
import { confirmed, decide, mail, MAIL_ID, MAIL_TEXT, meeting, proposal, proposed } from '../rules/world.ts';
import { OTHER_SERVICE, PUBLIC_URL, SERVICE, world, type Answer, type World } from './world.ts';

let w: World;
let anna: string;
beforeAll(async () => {
  w = await world({
    async fill(rules) {
      await confirmed(rules);
      await proposed(rules, { statement: 'Hook rails are ordered in boxes of ten' });
      const rejected = await proposed(rules, { statement: 'Hook rails are a thing of the past' });
      await decide(rules, rejected, { decision: 'reject', version: 1, reason: 'no' });
    },
  });
  anna = await w.tokenOf('anna');
});
afterAll(() => w.end());

const get = (path: string, token = anna): Promise<Answer> => w.ask('GET', path, { token });
const post = (path: string, body: unknown, token = anna): Promise<Answer> => w.ask('POST', path, { token, body });
const source = (id: string): string => `/v1/sources/${encodeURIComponent(id)}`;

describe('reading', () => {
  test('[VR1] GET /v1/status tells about the instance and the scopes of the grant', async () => {
    const { status, json, headers } = await get('/v1/status');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-store',
    ]);
    expect(StatusOut.parse(json)).toMatchObject({
      instance: 'demo',
      zone: 'Europe/Berlin',
      version: '1.2.3',
      stages: { b: 'off', c: 'off' },
      scopes: [
        { scope: 'sales', locked: false, counts: { proposed: 1, confirmed: 1, superseded: 0 } },
        { scope: 'legal', locked: false, counts: { proposed: 0, confirmed: 0, superseded: 0 } },
      ],
    });
  });

  test('[VR1] a scope that was never made is told as locked', async () => {
    const { json } = await get('/v1/status', await w.tokenOf('unmade'));
    expect(json.scopes[1]).toMatchObject({ scope: 'unmade', created: false, locked: true, lock_reason: 'not-created' });
  });

  test('[VR1] POST /v1/search answers the full form, without marks', async () => {
    const { status, json } = await post('/v1/search', {
      scopes: ['sales'],
      text: 'hook rails',
      include_proposals: true,
    });
    expect(status).toBe(200);
    expect(SearchResponse.parse(json)).toEqual(json);
    expect(json.bundles.map((one: { head: { ref: string } }) => one.head.ref).toSorted()).toEqual([
      'rule/sales-0001@2',
      'rule/sales-0002@1',
    ]);
    expect(JSON.stringify(json)).not.toContain('untrusted');
  });

  test('[VR1] POST /v1/search knows no detail', async () => {
    const { status, json } = await post('/v1/search', { scopes: ['sales'], text: 'hook', detail: 'compact' });
    expect([status, json.error]).toEqual([400, 'validation-failed']);
  });

  test('[VR1] POST /v1/search over two scopes needs the flag', async () => {
    const both = { scopes: ['sales', 'legal'], text: 'hook' };
    const refused = await post('/v1/search', both);
    expect([refused.status, refused.json.error]).toEqual([400, 'multiple-scopes-without-flag']);
    expect((await post('/v1/search', { ...both, cross_scope: true })).json.scopes).toEqual(['sales', 'legal']);
  });

  test('[VR1] GET /v1/rules lists, filters and pages', async () => {
    const all = await get('/v1/rules?scope=sales');
    expect(RuleList.parse(all.json).rules.map(({ ref }) => ref)).toEqual(['rule/sales-0001@2', 'rule/sales-0002@1']);
    const only = async (query: string) =>
      RuleList.parse((await get(`/v1/rules?scope=sales&${query}`)).json).rules.map(({ ref }) => ref);
    expect(await only('status=proposed')).toEqual(['rule/sales-0002@1']);
    expect(await only('kind=note')).toEqual([]);
    expect(await only('relation=product:hook%20rail')).toEqual(['rule/sales-0001@2', 'rule/sales-0002@1']);
    const first = (await get('/v1/rules?scope=sales&limit=1')).json;
    expect([first.rules.length, first.next]).toEqual([1, 'sales-0001']);
    expect(await only('limit=1&after=sales-0001')).toEqual(['rule/sales-0002@1']);
  });

  test('[VR1] GET /v1/rules/:id reads one, at a version, or at a day', async () => {
    const { json } = await get('/v1/rules/sales-0001');
    expect(RuleRead.parse(json)).toMatchObject({ head: { ref: 'rule/sales-0001@2', status: 'confirmed' } });
    expect((await get('/v1/rules/sales-0001?version=1')).json.head).toMatchObject({ status: 'proposed' });
    expect((await get('/v1/rules/sales-0001?as_of=2026-03-12')).json.version.version).toBe(2);
    for (const path of ['sales-0009', 'sales-0001?version=9', 'sales-0001?as_of=2026-01-01', 'sales-0003'])
      expect([path, (await get(`/v1/rules/${path}`)).json]).toEqual([
        path,
        { error: 'not-found', message: 'no such rule' },
      ]);
    for (const path of ['sales-0001?version=0', 'sales-0001?version=1&as_of=2026-02-30', 'sales', '..%2Fx', '%E0%A4%A'])
      expect([path, (await get(`/v1/rules/${path}`)).status]).toEqual([path, 400]);
  });

  test('[VR1] GET /v1/rules/:id/provenance answers what a rule rests on', async () => {
    const { status, json } = await get('/v1/rules/sales-0001/provenance');
    expect(status).toBe(200);
    expect(Provenance.parse(json)).toMatchObject({
      ref: 'rule/sales-0001@2',
      source: { id: MAIL_ID, kind: 'mail' },
      excerpt: MAIL_TEXT,
      segments: null,
    });
    for (const path of ['sales-0003', 'sales-0099'])
      expect((await get(`/v1/rules/${path}/provenance`)).json.error).toBe('not-found');
    expect((await get('/v1/rules/sales-0001/provenance?version=1')).json.error).toBe('validation-failed');
    expect((await get('/v1/rules/sales/provenance')).status).toBe(400);
  });

  test('[VR1] POST /v1/search/:search_id/feedback records what somebody thought of a search', async () => {
    const { json: found } = await post('/v1/search', { scopes: ['sales'], text: 'hook rails' });
    const path = `/v1/search/${found.search_id}/feedback`;
    const said = { bundles: [{ ref: 'rule/sales-0001@2', verdict: 'relevant' }], missing: ['rule/sales-0002'] };
    const { status, json } = await post(path, said);
    expect([status, json]).toEqual([200, { recorded: 2 }]);
    const others = await post(path, said, await w.tokenOf('reader'));
    const unknown = await post('/v1/search/no-such-search/feedback', said);
    expect([others.status, others.text]).toEqual([404, unknown.text]);
    expect((await post(path, { ...said, search_id: 'x' })).json.error).toBe('validation-failed');
    expect((await post(path, { bundles: [], missing: [] })).json.error).toBe('validation-failed');
    expect((await post(`${path}?x=1`, said)).json.error).toBe('validation-failed');
  });

  test('[VR1] GET /v1/proposals lists what waits', async () => {
    const { status, json } = await get('/v1/proposals?scope=sales');
    expect(status).toBe(200);
    expect(ProposalList.parse(json).proposals[0]).toMatchObject({
      ref: 'rule/sales-0002@1',
      approval_url: `${PUBLIC_URL}/approval/rules/sales-0002`,
    });
  });
});

describe('writing', () => {
  test('[VR1] POST /v1/proposals answers 201 and where to decide', async () => {
    const { status, json } = await post('/v1/proposals', proposal({ statement: 'Hook rails are painted black' }));
    expect(status).toBe(201);
    expect(ProposalCreated.parse(json)).toMatchObject({ status: 'proposed', quote_check: { checked: true } });
    expect(json.approval_url).toMatch(new RegExp(`^${PUBLIC_URL}/approval/rules/sales-\\d{4}$`));
  });

  test.each([
    ['source-unknown', { source: { kind: 'mail', id: 'mail:<gone@example.com>', quote: 'q'.repeat(30), link: null } }],
    ['quote-not-found', { source: { kind: 'mail', id: MAIL_ID, quote: 'never said by anyone at all', link: null } }],
    ['reference-unknown', { supersedes: 'sales-0002' }],
    ['secret-detected', { statement: 'The token is gn_'.concat('x'.repeat(43)) }],
  ])('[VR1, VR4] POST /v1/proposals: 422 %s', async (code, over) => {
    const { status, json } = await post('/v1/proposals', proposal(over));
    expect([status, json.error, typeof json.message]).toEqual([422, code, 'string']);
    expect(Object.keys(json).filter(key => !['error', 'message', 'current', 'issues', 'remedy'].includes(key))).toEqual(
      [],
    );
  });

  test('[VR1] POST /v1/sources is 201 once, 200 again, and 409 for anyone else', async () => {
    const one = meeting({ id: 'jamie:first' });
    expect(await post('/v1/sources', one, SERVICE)).toMatchObject({
      status: 201,
      json: { created: true, id: 'jamie:first' },
    });
    expect(await post('/v1/sources', one, SERVICE)).toMatchObject({
      status: 200,
      json: { created: false, id: 'jamie:first' },
    });
    const others = [
      await post('/v1/sources', one),
      await post('/v1/sources', { ...one, segments: one.segments.slice(1) }, SERVICE),
    ];
    expect(new Set(others.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['409 {"error":"source-conflict","message":"another source has this id"}']),
    );
  });

  test('[VR1] GET /v1/sources/:id reads back what the same grant stored', async () => {
    const id = 'mail:<a/b+c%d@example.com>';
    await post('/v1/sources', mail({ id }), SERVICE);
    const { status, json } = await get(`${source(id)}?scope=sales`, SERVICE);
    expect([status, json.id, 'text' in json]).toEqual([200, id, false]);
    expect(SourceOut.parse(json)).toMatchObject({ text_chars: MAIL_TEXT.length });
    expect((await get(`${source(id)}?scope=sales&include=text,attachments`, SERVICE)).json.text).toBe(MAIL_TEXT);
    expect((await get(`${source(id)}?scope=sales&include=text,text`, SERVICE)).status).toBe(400);
    expect((await get(source(id), SERVICE)).json.error).toBe('validation-failed');
  });

  test('[VR7] sources out of reach are all alike', async () => {
    await post('/v1/sources', mail({ id: 'mail:<mine@example.com>' }), SERVICE);
    const bodies = new Set<string>();
    for (const [id, scope, token] of [
      ['mail:<gone@example.com>', 'sales', SERVICE],
      ['mail:<mine@example.com>', 'legal', SERVICE],
      ['mail:<mine@example.com>', 'sales', OTHER_SERVICE],
      ['no id at all', 'sales', SERVICE],
    ] as const) {
      const { status, text } = await get(`${source(id)}?scope=${scope}`, token);
      bodies.add(`${status} ${text}`);
    }
    expect(bodies).toEqual(new Set(['404 {"error":"not-found","message":"no such source"}']));
  });
});

describe('refusals', () => {
  test('[VR7] a scope out of reach is refused alike, whether it exists or not', async () => {
    const foreign = await w.tokenOf('foreign');
    const answers = new Set<string>();
    for (const scope of ['sales', 'unmade', 'never-heard-of']) {
      for (const answer of [
        await post('/v1/search', { scopes: [scope], text: 'x' }, foreign),
        await get(`/v1/rules?scope=${scope}`, foreign),
        await get(`/v1/rules/${scope}-0001`, foreign),
        await get(`/v1/proposals?scope=${scope}`, foreign),
        await post('/v1/proposals', proposal({ scope }), foreign),
        await post('/v1/sources', meeting({}, { scope }), foreign),
        await get(`${source(MAIL_ID)}?scope=${scope}`, foreign),
      ]) {
        answers.add(`${answer.status} ${answer.text}`);
      }
    }
    expect([...answers]).toEqual([
      '403 {"error":"scope-not-allowed","message":"a scope that this grant does not cover"}',
    ]);
  });

  test('[VR4] a scope that is granted and was never made is 503 scope-locked', async () => {
    const { status, json } = await get('/v1/rules?scope=unmade', await w.tokenOf('unmade'));
    expect([status, json.error]).toEqual([503, 'scope-locked']);
  });

  test('[VR6] parameters are read as declared, and unknown ones refused with the nearest name', async () => {
    for (const [query, message] of [
      ['scope=sales&limt=5', 'limt: unknown parameter; did you mean limit?'],
      ['scope=sales&scope=legal', 'scope: given twice'],
      ['scope=sales&zzz=1', 'zzz: unknown parameter'],
    ]) {
      const { status, json } = await get(`/v1/rules?${query}`);
      expect([status, json.error, json.message]).toEqual([400, 'validation-failed', message]);
    }
    for (const query of [
      'scope=sales&limit=0',
      'scope=sales&limit=x',
      'scope=sales&limit=201',
      'scope=',
      '',
      'scope=sales&status=rejected',
    ])
      expect([query, (await get(`/v1/rules?${query}`)).status]).toEqual([query, 400]);
    expect(
      (await w.ask('POST', '/v1/search?x=1', { token: anna, body: { scopes: ['sales'], text: 'x' } })).status,
    ).toBe(400);
  });

  test('[VR4] issues name the place', async () => {
    const { json } = await post('/v1/search', { scopes: ['sales'], text: 'x', limit: 0, textt: 'y' });
    expect(json.issues.map((issue: { path: string[]; code: string }) => [issue.code, issue.path.join('.')])).toEqual(
      expect.arrayContaining([
        ['too_small', 'limit'],
        ['unrecognized_keys', ''],
      ]),
    );
  });

  test.each([
    ['bad-json', 400, '{"scopes":', {}],
    ['bad-json', 400, new Uint8Array([0x7b, 0xff, 0x7d]), {}],
    ['bad-json', 400, '', {}],
    ['unsupported-media-type', 415, '{}', { 'content-type': 'text/plain' }],
    ['unsupported-media-type', 415, '{}', { 'content-type': 'application/json; charset=latin1' }],
    ['unsupported-media-type', 415, '{}', { 'content-encoding': 'gzip' }],
    ['validation-failed', 400, '[]', {}],
    ['validation-failed', 400, 'null', {}],
    ['validation-failed', 400, '"text"', {}],
    ['payload-too-large', 413, `"${'x'.repeat(256 * 1024)}"`, {}],
  ])('[VR3, VR4] %s is %i', async (code, expected, body, headers) => {
    const { status, json } = await w.ask('POST', '/v1/search', { token: anna, body, headers });
    expect([status, json.error]).toEqual([expected, code]);
  });

  test('[VR3] sources may be 10 MiB, with or without a length', async () => {
    const padded = (bytes: number): string => {
      const body = JSON.stringify(mail({ id: 'mail:<large@example.com>' }, { text: 'x', attachments: [] }));
      return body + ' '.repeat(bytes - body.length);
    };
    const limit = 10 * 1024 * 1024;
    expect((await post('/v1/sources', padded(limit), SERVICE)).status).toBe(201);
    expect((await post('/v1/sources', padded(limit + 1), SERVICE)).status).toBe(413);
    const streamed = await fetch(`${w.url}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${anna}`, 'content-type': 'application/json' },
      body: new Blob([' '.repeat(300 * 1024)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([streamed.status, ((await streamed.json()) as { error: string }).error]).toEqual([413, 'payload-too-large']);
    expect((await get('/v1/status')).status).toBe(200);
  });

  test('[VR2] who comes before how much and what', async () => {
    for (const [body, headers] of [
      ['x'.repeat(300 * 1024), {}],
      ['not json', {}],
      ['{}', { 'content-type': 'text/plain' }],
    ] as const)
      expect((await w.ask('POST', '/v1/search', { body, headers })).status).toBe(401);
  });

  test('[VR2] two credentials are none, and cookies are not looked at', async () => {
    const both = { authorization: `Bearer ${anna}`, 'cf-access-jwt-assertion': anna };
    expect((await w.ask('GET', '/v1/status', { headers: both })).status).toBe(401);
    const cookie = { cookie: 'gn_session=x; __Host-gn_session=y' };
    expect((await w.ask('GET', '/v1/status', { headers: cookie })).status).toBe(401);
    expect((await w.ask('GET', '/v1/status', { token: anna, headers: cookie })).status).toBe(200);
  });

  test('[VR5] 401 says where to read how to sign in', async () => {
    for (const path of ['/v1/status', '/v1/nothing', '/v1', '/mcp', '/mcp/rules']) {
      const { status, headers, json } = await w.ask('GET', path);
      expect([path, status, json.error]).toEqual([path, 401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`,
      );
    }
  });

  test('[VR11] what nobody serves is 404 for callers who are known', async () => {
    for (const [method, path] of [
      ['GET', '/v1'],
      ['GET', '/v1/'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/rules/sales-0001'],
      ['GET', '/v1/search'],
      ['POST', '/v1/status'],
      ['POST', '/v1/rules/sales-0001/provenance'],
      ['GET', '/v1/search/x/feedback'],
      ['POST', '/v1/rules/sales-0001/retract'],
      ['POST', '/v1/entities'],
    ] as const)
      expect([path, (await w.ask(method, path, { token: anna })).json]).toEqual([
        path,
        { error: 'not-found', message: 'no such route' },
      ]);
  });

  test('[VR9] other Origins and Hosts', async () => {
    const foreign = await w.ask('GET', '/v1/status', { token: anna, headers: { origin: 'https://evil.example' } });
    expect([foreign.status, foreign.json.error]).toEqual([403, 'csrf-failed']);
    for (const path of ['/mcp/rules', '/approval'])
      expect((await w.ask('GET', path, { headers: { origin: 'https://evil.example' } })).json.error).toBe(
        'csrf-failed',
      );
    const home = await w.ask('GET', '/v1/status', { token: anna, headers: { origin: PUBLIC_URL } });
    expect([home.status, home.headers.get('access-control-allow-origin')]).toEqual([200, PUBLIC_URL]);
  });
});

describe('around', () => {
  test('[VR10] the metadata of each resource is absolute and needs no credential', async () => {
    for (const path of ['', '/mcp', '/mcp/pages', '/mcp/rules']) {
      const { status, json } = await w.ask('GET', `/.well-known/oauth-protected-resource${path}`);
      expect([status, json.resource]).toEqual([200, `${PUBLIC_URL}${path}`]);
      expect(json).toMatchObject({ authorization_servers: [w.issuer.issuer], bearer_methods_supported: ['header'] });
    }
    expect((await w.ask('GET', '/.well-known/oauth-protected-resource/other')).status).toBe(404);
  });

  test('[VR11] labels of metrics are patterns', async () => {
    await get('/v1/rules/sales-0001');
    await get('/v1/anything/at/all');
    const { text } = await w.ask('GET', '/metrics');
    expect(text).toContain('escurel_requests_total{route="/v1/rules/:id",status="200"}');
    expect(text).not.toContain('sales-0001');
    expect(text).not.toContain('anything');
    expect(text).toMatch(/escurel_tool_calls\{tenant="default",tool="read_rule",transport="rest",status="ok"\} \d/);
  });

  test('[VR14] the OpenAPI document names the routes, their parameters and bodies', async () => {
    const { json } = await w.ask('GET', '/openapi.json');
    expect(Object.keys(json.paths).filter(path => path.startsWith('/v1'))).toEqual([
      '/v1/status',
      '/v1/search',
      '/v1/search/{id}/feedback',
      '/v1/rules',
      '/v1/rules/{id}',
      '/v1/rules/{id}/provenance',
      '/v1/proposals',
      '/v1/sources',
      '/v1/sources/{id}',
    ]);
    expect(Object.keys(json.paths['/v1/proposals'])).toEqual(['post', 'get']);
    const { parameters: places, requestBody } = json.paths['/v1/search/{id}/feedback'].post;
    expect(places).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]);
    expect(Object.keys(requestBody.content['application/json'].schema.properties)).toEqual(['bundles', 'missing']);
    expect(requestBody.content['application/json'].schema.required).toEqual(['bundles', 'missing']);
    const { parameters } = json.paths['/v1/rules'].get;
    expect(parameters.find((one: { name: string }) => one.name === 'scope')).toMatchObject({
      in: 'query',
      required: true,
    });
    expect(json.paths['/v1/search'].post.requestBody.content['application/json'].schema.required).toEqual(['scopes']);
    expect(json.paths['/mcp/rules']).toBeDefined();
  });
});
