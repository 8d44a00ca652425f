import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client, request, type Answer } from './client.ts';
import { ANNA, cookieOf, csrfOf, mail, proposal, refusal, startRules, TOKENS, type Rules } from './rules.ts';

const TOM = 'tom@example.org';
let cairn: Rules;
let service: string;
beforeAll(async () => {
  cairn = await startRules();
  await cairn.grant(TOM, ['sales'], ['read', 'propose']);
  const body = { kind: 'service', auth: 'bearer', scopes: ['sales'], rights: ['propose'] };
  service = /gn_[A-Za-z0-9_-]{43}/.exec((await cairn.operator('POST', '/ops/grants', body)).text)![0];
});
afterAll(() => cairn.stop());

const search = (body: object, token: string | null = TOKENS.api) => cairn.v1('POST', '/v1/search', body, token);
const METADATA = '/.well-known/oauth-protected-resource';

describe('who gets in where', () => {
  test.each([
    ['no credential', null],
    ['the token of another channel', TOKENS.mcp],
    ['the token of the approval pages', TOKENS.approval],
    ['a bearer that nobody has', `gn_${'x'.repeat(43)}`],
  ])('[VR5] %s is 401 and told where to read how', async (_, token) => {
    const answer = await cairn.v1('GET', '/v1/status', undefined, token);
    expect(refusal(answer)).toBe('401 unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${cairn.origin}${METADATA}"`);
  });

  test('[MR1, MR2] a service is told so, on both endpoints', async () => {
    expect(refusal(await client(cairn.origin, service, '/mcp/rules').rpc('tools/list'))).toBe(
      '403 channel-not-allowed',
    );
    const combined = client(cairn.origin, service, '/mcp');
    const { tools } = (await combined.rpc('tools/list')).json.result;
    expect(tools.map((tool: { name: string }) => tool.name)).not.toContain('search_rules');
    expect((await combined.call('scopes')).json.result).toMatchObject({
      isError: true,
      structuredContent: { error: 'channel-not-allowed' },
    });
  });

  test.each<[string, () => Promise<Answer>, string]>([
    ['input first', () => search({ scopes: ['nowhere'] }), '400 validation-failed'],
    ['then scopes', () => search({ scopes: ['sales', 'nowhere'], text: 'x' }), '403 scope-not-allowed'],
    ['then how many', () => search({ scopes: ['sales', 'tech'], text: 'x' }), '400 multiple-scopes-without-flag'],
    ['then rights', () => search({ scopes: ['sales'], text: 'x' }, service), '403 channel-not-allowed'],
    ['scopes before rights', () => search({ scopes: ['tech'], text: 'x' }, service), '403 scope-not-allowed'],
    ['an id names its scope', () => cairn.v1('GET', '/v1/rules/legal-0001'), '403 scope-not-allowed'],
    ['in any place', () => cairn.v1('GET', '/v1/rules?scope=sales&after=legal-0001'), '403 scope-not-allowed'],
    ['what is not there', () => cairn.v1('GET', '/v1/rules/sales-9999'), '404 not-found'],
    ['what is no id', () => cairn.v1('GET', '/v1/rules/Sales'), '400 validation-failed'],
    ['no scope', () => cairn.v1('GET', '/v1/rules'), '400 validation-failed'],
    ['a scope twice', () => cairn.v1('GET', '/v1/rules?scope=sales&scope=tech'), '400 validation-failed'],
    ['an unknown parameter', () => cairn.v1('GET', '/v1/rules?scope=sales&foo=1'), '400 validation-failed'],
    ['a part that is not there', () => cairn.v1('POST', '/v1/entities', {}), '404 not-found'],
  ])('[RU20, VR6] %s', async (_, call, refused) => {
    expect(refusal(await call())).toBe(refused);
  });

  test('[RU21, VR7] a scope that exists and one that does not are refused with the same bytes', async () => {
    const [real, made] = await Promise.all([
      search({ scopes: ['tech'], text: 'x' }, service),
      search({ scopes: ['nowhere'], text: 'x' }, service),
    ]);
    expect(real!.text).toBe(made!.text);
  });
});

describe('who may decide', () => {
  const decision = (headers: Record<string, string>) =>
    request(`${cairn.origin}/v1/rules/sales-9999/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ decision: 'confirm', version: 1 }),
    });
  const same = () => ({ origin: cairn.origin });
  const anna = { cookie: cookieOf(ANNA) };
  const csrf = { csrf: csrfOf(ANNA) };

  test.each<[string, () => Record<string, string>, string]>([
    ['nobody', () => ({ ...same(), ...csrf }), '401 unauthorized'],
    ['a bearer of an agent', () => ({ authorization: `Bearer ${TOKENS.mcp}` }), '401 unauthorized'],
    ['a bearer of a program', () => ({ authorization: `Bearer ${TOKENS.api}` }), '401 unauthorized'],
    ['the approval token as a bearer', () => ({ authorization: `Bearer ${TOKENS.approval}` }), '401 unauthorized'],
    ['a service', () => ({ authorization: `Bearer ${service}` }), '403 channel-not-allowed'],
    [
      'two credentials',
      () => ({ ...anna, ...same(), ...csrf, authorization: `Bearer ${service}` }),
      '401 unauthorized',
    ],
    ['no token of a form', () => ({ ...anna, ...same() }), '403 csrf-failed'],
    ["somebody else's token", () => ({ ...anna, ...same(), csrf: csrfOf(TOM) }), '403 csrf-failed'],
    ['no origin', () => ({ ...anna, ...csrf }), '403 csrf-failed'],
    ['another origin', () => ({ ...anna, ...csrf, origin: 'https://evil.example' }), '403 csrf-failed'],
    ['the same site only', () => ({ ...anna, ...csrf, 'sec-fetch-site': 'same-site' }), '403 csrf-failed'],
    ['a session that is over', () => ({ ...same(), ...csrf, cookie: cookieOf(ANNA, 1000) }), '401 unauthorized'],
    ['no right to', () => ({ ...same(), cookie: cookieOf(TOM), csrf: csrfOf(TOM) }), '403 channel-not-allowed'],
    ['a person with everything', () => ({ ...anna, ...csrf, ...same() }), '404 not-found'],
    ['whose browser names no origin', () => ({ ...anna, ...csrf, 'sec-fetch-site': 'same-origin' }), '404 not-found'],
  ])('[AP4, AP20] %s', async (_, headers, refused) => {
    expect(refusal(await decision(headers()))).toBe(refused);
  });
});

describe('limits', () => {
  test('[VR8, AP25, AP34] each grant has its own, and is told how long to wait', async () => {
    const limits = { requests_per_minute: 3, decisions_per_minute: 1, exports_per_hour: 1 };
    const tight = await startRules({ config: { limits } });
    try {
      for (let each = 0; each < 4; each++) await tight.v1('GET', '/v1/status', undefined, 'nobody');
      expect((await tight.v1('GET', '/v1/status')).status).toBe(200);
      expect((await tight.mcp.call('scopes')).json.result.isError).toBe(false);
      expect((await tight.v1('POST', '/v1/sources', mail(1))).status).toBe(201);
      const late = await tight.v1('POST', '/v1/proposals', proposal(1));
      expect(refusal(late)).toBe('429 rate-limited');
      expect(late.headers.get('retry-after')).toMatch(/^([1-9]|1\d|20)$/);
      const tool = await tight.mcp.call('scopes');
      expect([refusal(tool), Number(tool.headers.get('retry-after')) > 0]).toEqual(['429 rate-limited', true]);
      const decide = () => tight.decide('sales-9999', { decision: 'confirm', version: 1 });
      expect([refusal(await decide()), refusal(await decide())]).toEqual(['404 not-found', '429 rate-limited']);
      const exported = () => tight.page('GET', '/v1/export/sales');
      expect((await exported()).status).toBe(200);
      expect(Number((await exported()).headers.get('retry-after'))).toBeGreaterThan(60);
    } finally {
      await tight.stop();
    }
  });
});
