import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from './client.ts';
import { ANNA, cookieOf, csrfOf, refusal, startRules, TOKENS, type Rules } from './rules.ts';

let cairn: Rules;
let open: string;
let gone: string;
beforeAll(async () => {
  cairn = await startRules();
  open = await cairn.proposed(1);
  gone = await cairn.proposed(2, {
    statement: 'Read [this](http://x) <b>now</b> | `code`\r\n# Heading\u2028next',
    keywords: ['kw'],
  });
  await cairn.decide(gone, { decision: 'reject', version: 1, reason: 'nonsense' });
});
afterAll(() => cairn.stop());

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  request(cairn.origin + path, { method: 'POST', headers, body: new URLSearchParams(fields) });

describe('signing in and out', () => {
  test('[AP1, AP10, AP12] the token of these pages alone, from nowhere else', async () => {
    expect((await request(`${cairn.origin}/approval`)).headers.get('location')).toMatch(/^\/approval\/login/);
    for (const token of ['nonsense', TOKENS.mcp, TOKENS.api]) {
      const answer = await post('/approval/login', { token });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    }
    const evil = { origin: 'https://evil.example' };
    const foreign = await post('/approval/login', { token: TOKENS.approval }, evil);
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('[AP10, AU90] the session is the cookie of the contract', async () => {
    const answer = await post('/approval/login', { token: TOKENS.approval });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/approval']);
    const [cookie] = answer.headers.getSetCookie();
    const [pair, ...rest] = cookie!.split('; ');
    const { sub, exp } = JSON.parse(Buffer.from(pair!.split(/[=.]/)[1]!, 'base64url').toString());
    expect([sub, pair]).toEqual([ANNA, cookieOf(ANNA, exp)]);
    expect(rest.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/', 'SameSite=Strict']);
    expect(Math.abs(exp - Date.now() / 1000 - 28_800)).toBeLessThan(600);
  });

  test('[AP14] signing out needs the token of the forms', async () => {
    const headers = { cookie: cookieOf(ANNA), origin: cairn.origin };
    expect((await post('/approval/logout', {}, headers)).status).toBe(403);
    const answer = await post('/approval/logout', { csrf: csrfOf(ANNA) }, headers);
    expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([303, expect.stringContaining('Max-Age=0')]);
  });

  test('[AP11] five tries a minute from one address, whatever it says of itself', async () => {
    const strict = await startRules({ config: { limits: {} } });
    try {
      const statuses = [];
      for (let n = 0; n < 6; n++) {
        const fields = new URLSearchParams({ token: n < 5 ? 'x' : TOKENS.approval });
        const headers = { 'x-forwarded-for': `10.0.0.${n}` };
        statuses.push(
          (await request(`${strict.origin}/approval/login`, { method: 'POST', headers, body: fields })).status,
        );
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    } finally {
      await strict.stop();
    }
  });
});

describe('pages', () => {
  test('[AP44] every page sends the policy of the contract', async () => {
    for (const path of ['/approval', `/approval/rules/${open}`, '/approval/rules/sales-9999', '/approval/search']) {
      const { headers, text } = await cairn.page('GET', path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(/<script|\sstyle=|\son[a-z]+=/i);
    }
  });

  test.each([
    ['de-DE,de;q=0.9', 'de'],
    ['fr,de;q=0.5', 'de'],
    ['en;q=0.3,de;q=0.8', 'de'],
    ['en-US,de;q=0.5', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
  ])('[AP47] a browser that asks for %s gets %s', async (wanted, language) => {
    for (const path of ['/approval', '/approval/rules/sales-9999'])
      expect((await cairn.page('GET', path, { headers: { 'accept-language': wanted } })).text).toContain(
        `<html lang="${language}"`,
      );
  });

  test('[AP40, AP41, AP22] the inbox leads to the rule, its quote is marked, its form is bound', async () => {
    expect((await cairn.page('GET', '/approval')).text).toContain(`/approval/rules/${open}`);
    expect((await cairn.page('GET', '/approval?scope=tech')).text).not.toContain(`/approval/rules/${open}`);
    expect((await cairn.page('GET', '/approval?text=nowhere')).text).not.toContain(`/approval/rules/${open}`);
    const { text } = await cairn.page('GET', `/approval/rules/${open}`);
    expect(text).toContain('<mark>ask the supplier for the delivery time of lot 1</mark>');
    for (const name of ['csrf', 'version', 'shown_sha256']) expect(text).toContain(`name="${name}"`);
    expect(text).toContain(csrfOf(ANNA));
  });

  test('[AP3] what is not there and what is not allowed', async () => {
    expect((await cairn.page('GET', '/approval/rules/sales-9999')).status).toBe(404);
    expect((await cairn.page('GET', '/approval/rules/legal-0001')).status).toBe(403);
    expect((await cairn.page('GET', '/approval', { as: 'nobody@example.org' })).status).toBe(401);
  });

  test('[AP36] what was rejected is shown to those who decide', async () => {
    expect((await cairn.page('GET', `/approval/rules/${gone}`)).text).toContain('nonsense');
    expect((await cairn.page('GET', '/approval/search?text=heading')).text).toContain(gone);
  });
});

describe('the export', () => {
  const filesOf = (tar: Buffer): Map<string, string> => {
    const files = new Map<string, string>();
    for (let at = 0; tar[at];) {
      const name = tar.toString('utf8', at, tar.indexOf(0, at));
      const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
      expect(tar.toString('latin1', at + 257, at + 262)).toBe('ustar');
      files.set(name, tar.toString('utf8', at + 512, at + 512 + size));
      at += 512 + Math.ceil(size / 512) * 512;
    }
    return files;
  };
  const exported = async (path = '/v1/export/sales') => {
    const response = await fetch(cairn.origin + path, { headers: { cookie: cookieOf(ANNA) } });
    return { headers: response.headers, files: filesOf(gunzipSync(Buffer.from(await response.arrayBuffer()))) };
  };

  test('[RU120, RU122, AP34] is a tar of Markdown with everything, nothing of which is markup', async () => {
    const { headers, files } = await exported();
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="works-sales-\d{8}T\d{6}Z\.tar\.gz"$/);
    for (const name of ['README', 'index', 'sources', 'entities', 'decisions', open, gone])
      expect([...files.keys()]).toContain(`sales/${name}.md`);
    const rejected = files.get(`sales/${gone}.md`)!;
    expect(rejected).toContain(ANNA);
    expect(rejected).toContain('\\[this\\](http://x) \\<b\\>now\\</b\\> \\| \\`code\\`');
    expect(rejected).not.toMatch(/[\r\u2028]|^# Heading/m);
    expect(files.get('sales/decisions.md')).toContain(ANNA);
  });

  test('[RU121] is the same twice, but for the moment in its README', async () => {
    const [first, second] = [await exported(), await exported('/approval/export/sales')];
    const rest = (files: Map<string, string>) => [...files].filter(([name]) => name !== 'sales/README.md');
    expect(rest(second.files)).toEqual(rest(first.files));
  });

  test('[RU123] is for those who may decide in the scope', async () => {
    expect(refusal(await cairn.page('GET', '/v1/export/legal'))).toBe('403 scope-not-allowed');
    expect(refusal(await cairn.v1('GET', '/v1/export/sales'))).toBe('401 unauthorized');
  });
});

test('[AP32, AP36] a locked scope takes none of the others out of pages without a choice', async () => {
  const scopes = Array.from({ length: 22 }, (_, at) => ({ name: `part-${at}`, providers_allowed: [] }));
  const many = await startRules({
    config: { scopes: [...scopes, { name: 'sales', providers_allowed: [] }, { name: 'tech', providers_allowed: [] }] },
  });
  try {
    for (const { name } of scopes.slice(1)) await many.operator('POST', '/ops/scopes', { name });
    const names = [...scopes.map(({ name }) => name), 'sales'];
    await many.grant('ben@example.org', names, ['read', 'decide']);
    const id = await many.confirmed(1);
    const { status, text } = await many.page('GET', '/approval/search?text=delivery', { as: 'ben@example.org' });
    expect(status).toBe(200);
    expect(text).toContain(`/approval/rules/${id}`);
    expect(text).toContain('Locked, so not searched: part-0.');
    const named = await many.page('GET', '/approval/search?text=delivery&scope=part-0', { as: 'ben@example.org' });
    expect(named.status).toBe(503);
    const rejected = await many.page('GET', '/approval/rejected', { as: 'ben@example.org' });
    expect(rejected.status).toBe(200);
  } finally {
    await many.stop();
  }
});
