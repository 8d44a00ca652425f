import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { world as pagesWorld } from '../world.ts';
import { PUBLIC_URL, rpc, SERVICE, world, type Answer, type World, sessionCookie } from './world.ts';

describe('limits', () => {
  let w: World;
  let now: Date;
  let anna: string;
  beforeEach(async () => {
    now = new Date('2026-03-12T10:00:00.000Z');
    w = await world({ requestsPerMinute: 3, queriesPerMinute: 1, now: () => now });
    anna = await w.tokenOf('anna');
  });
  afterEach(() => w.end());

  const pass = (ms: number): void => void (now = new Date(now.getTime() + ms));
  const status = (token: string | undefined = anna): Promise<Answer> => w.ask('GET', '/v1/status', { token });
  const spend = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) expect((await status()).status).toBe(200);
  };

  test('[VR8] a grant has so many requests a minute, and they come back one by one', async () => {
    await spend(3);
    const refused = await status();
    expect([refused.status, refused.json.error]).toEqual([429, 'rate-limited']);
    expect(refused.headers.get('retry-after')).toBe('20');
    pass(500);
    expect((await status()).headers.get('retry-after')).toBe('20');
    pass(19_499);
    expect((await status()).headers.get('retry-after')).toBe('1');
    pass(1);
    expect((await status()).status).toBe(200);
    expect((await status()).status).toBe(429);
    pass(600_000);
    await spend(3);
    expect((await status()).status).toBe(429);
  });

  test('[VR8] each grant has its own', async () => {
    await spend(3);
    expect((await status(SERVICE)).status).toBe(200);
    expect((await status(await w.tokenOf('reader'))).status).toBe(200);
    expect((await status()).status).toBe(429);
  });

  test('[VR8] calls over MCP and below /v1 count together, refused ones too', async () => {
    expect((await w.tool(anna, 'scopes')).status).toBe(200);
    expect((await w.tool(anna, 'search_rules', {}, '/mcp')).json.result.isError).toBe(true);
    expect((await w.ask('GET', '/v1/rules', { token: anna })).status).toBe(400);
    for (const path of ['/mcp', '/mcp/rules']) {
      const refused = await w.tool(anna, 'scopes', {}, path);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20']);
      const { error } = refused.json;
      expect(path === '/mcp' ? error.data : { code: error, retryable: true }).toMatchObject({
        code: 'rate-limited',
        retryable: true,
      });
    }
    expect((await status()).status).toBe(429);
  });

  test('[VR8] what a person reads on the approval channel counts with the rest, an export by itself', async () => {
    const headers = { cookie: sessionCookie('anna@example.com', 4_000_000_000) };
    const rejected = () => w.ask('GET', '/v1/rejected?scope=sales', { headers });
    await spend(2);
    expect((await rejected()).status).toBe(200);
    const refused = await rejected();
    expect([refused.status, refused.json.error, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate-limited',
      '20',
    ]);
    expect((await status()).status).toBe(429);
    expect((await w.ask('GET', '/v1/export/sales', { headers })).status).toBe(200);
  });

  test('[VR8] listing and shaking hands cost nothing, nor do strangers', async () => {
    for (let at = 0; at < 5; at++) {
      expect((await w.ask('POST', '/mcp/rules', { token: anna, body: rpc('tools/list') })).status).toBe(200);
      expect((await w.ask('POST', '/mcp', { token: anna, body: rpc('initialize') })).status).toBe(200);
      expect((await status(await w.tokenOf('disabled'))).status).toBe(401);
      expect((await w.tool(await w.tokenOf('nobody'), 'scopes', {}, '/mcp')).json.result.isError).toBe(true);
      expect((await w.tool(SERVICE, 'scopes', {}, '/mcp')).json.result.structuredContent.error).toBe(
        'channel-not-allowed',
      );
    }
    await spend(3);
  });

  test('[VR8] rules cost no quota of pages, and pages no limit of rules', async () => {
    await spend(2);
    expect((await w.tool(anna, 'scopes', {}, '/mcp')).status).toBe(200);
    expect((await w.tool(anna, 'validate', { content: 'x' }, '/mcp')).status).toBe(200);
    const exhausted = await w.tool(anna, 'validate', { content: 'x' }, '/mcp');
    expect([exhausted.status, exhausted.json.error.data.code]).toEqual([429, 'quota_exhausted']);
    expect((await w.tool(anna, 'scopes', {}, '/mcp')).json.error.data.code).toBe('rate-limited');
  });

  test('[VR12] while the tenant is suspended, /v1 is closed and costs nothing', async () => {
    const admin = await w.tokenOf('root', { roles: ['escurel:admin'] });
    await w.tool(admin, 'tenant_update', { tenant_id: '', status: 'suspended' }, '/mcp');
    for (let at = 0; at < 4; at++) {
      const refused = await status();
      expect([refused.status, refused.json.error]).toEqual([403, 'tenant_suspended']);
    }
    await w.tool(admin, 'tenant_update', { tenant_id: '', status: 'active' }, '/mcp');
    await spend(3);
  });

  test('[VR9] another Host is 421', async () => {
    const { port } = new URL(w.url);
    const answered = new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/v1/status', headers: { host: 'evil.example' } }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(await answered).toBe(421);
  });
});

test('[VR13] a server without scopes has no rules, nor anything beside them', async () => {
  const w = await pagesWorld();
  for (const path of ['/v1/status', '/v1', '/mcp/rules', '/approval', '/.well-known/oauth-protected-resource'])
    expect([path, (await fetch(`${w.url}${path}`)).status]).toEqual([path, 404]);
  for (const name of ['ops.sock', 'ops.sqlite', 'scopes']) expect(existsSync(join(w.dataDir, name))).toBe(false);
  await w.end();
});

test("[VR5, VR10] the address of the rules is the server's where it has no other", async () => {
  const w = await world({ altered: settings => ({ ...settings, server: { ...settings.server, publicUrl: null } }) });
  expect((await w.ask('GET', '/v1/status')).headers.get('www-authenticate')).toContain(`"${PUBLIC_URL}/.well-known/`);
  expect((await w.ask('GET', '/.well-known/oauth-protected-resource')).json.resource).toBe(PUBLIC_URL);
  await w.end();
});
