import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { path, writeInstance, writeSkill } from './page.ts';

let issuer: TestIssuer;
let stranger: TestIssuer;
let cairn: Cairn;
let admin: Client;
beforeAll(async () => {
  [issuer, stranger] = await Promise.all([startIssuer(), startIssuer()]);
  cairn = await startCairn({ ESCUREL_AUTH_OIDC_ISSUER: issuer.issuer }, ROOMY);
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  await writeSkill(admin, 'note');
  for (const group of ['red', 'blue', 'escurel:admins']) {
    await writeInstance(admin, 'note', group.replace(':', '-'), `acl: {read: ["${group}"]}`);
  }
  await writeInstance(admin, 'note', 'role-value', 'acl: {read: ["escurel:admin"]}');
  await writeInstance(admin, 'note', 'special-owner', 'acl: {read: [owner]}');
  await writeInstance(admin, 'note', 'special-admin', 'acl: {read: [admin]}');
  await writeInstance(admin, 'note', 'nobody', 'acl: {read: []}');
});
afterAll(async () => {
  await cairn.stop();
  await Promise.all([issuer.stop(), stranger.stop()]);
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const withHeader = (authorization: string) => client(cairn.origin).post(ping, { authorization });
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const isAdmin = async (claims: Record<string, unknown>): Promise<boolean> => {
  const { json } = await client(cairn.origin, await issuer.token(claims)).call('tenant_get');
  return json.error === undefined;
};

/** Which of the pages with an access rule a bearer of these claims may read. */
async function readable(claims: Record<string, unknown>): Promise<string[]> {
  const caller = client(cairn.origin, await issuer.token(claims));
  const { instances } = await caller.ok('list_instances', { skill_id: 'note' });
  return instances.map((row: { page_id: string }) => row.page_id.replace(/.*\/(.*)\.md$/, '$1'));
}

/** The refusal of a token that must not be let in. */
async function rejected(token: string): Promise<string> {
  const { status, json } = await client(cairn.origin, token).post(ping);
  expect([status, json.error]).toEqual([401, 'unauthorized']);
  for (const part of token.split('.').filter(({ length }) => length > 8)) expect(json.message).not.toContain(part);
  return json.message;
}

test('E001 a bad envelope is told before anybody is known', async () => {
  const { status, json } = await client(cairn.origin).post({ ...ping, jsonrpc: '1.0' });
  expect([status, json.error.code]).toEqual([200, -32600]);
});

test('E019 an agent is listed the tools of scope agent only', async () => {
  const { json } = await client(cairn.origin, await issuer.token()).rpc('tools/list');
  const scopes = json.result.tools.map(({ scope }: { scope: string }) => scope);
  expect([scopes.length >= 8, ...new Set(scopes)]).toEqual([true, 'agent']);
});

test('E035 no Authorization header', async () => {
  for (const endpoint of ['/mcp', '/mcp/pages']) {
    const { status, json } = await client(cairn.origin, undefined, endpoint).post(ping);
    expect([status, json]).toEqual([401, { error: 'unauthorized', message: expect.any(String) }]);
  }
});

test('E036 only the spellings "Bearer " and "bearer " count', async () => {
  const token = await issuer.token();
  for (const scheme of ['Bearer', 'bearer']) expect((await withHeader(`${scheme} ${token}`)).status).toBe(200);
  for (const header of [`BEARER ${token}`, `Basic ${token}`, `Token ${token}`, token, `Bearer`, `Bearer:${token}`]) {
    expect((await withHeader(header)).status).toBe(401);
  }
});

test('E037 a token that cannot be verified', async () => {
  for (const token of ['garbage', 'a.b.c', '....', `${base64({ alg: 'ES256' })}.${base64({})}.`])
    expect(await rejected(token)).toMatch(/^token rejected:/);
});

test('E038 a token of another tenant is forbidden, an admin too', async () => {
  for (const roles of [[], ['escurel:admin']]) {
    const { status, json } = await client(cairn.origin, await issuer.token({ tenant: 'other', roles })).post(ping);
    expect([status, json]).toEqual([403, { error: 'forbidden', message: expect.any(String) }]);
  }
});

test('E040 another algorithm is rejected before keys are looked up', async () => {
  const asked = issuer.jwksRequests();
  const claims = { iss: issuer.issuer, aud: 'escurel', sub: 'ann', tenant: 'default', exp: Date.now() / 1000 + 60 };
  const kid = JSON.parse(Buffer.from((await issuer.token()).split('.')[0]!, 'base64url').toString()).kid;
  for (const alg of ['HS256', 'none', 'PS256', 'EdDSA', 'es256', '']) {
    const signed = `${base64({ alg, kid, typ: 'JWT' })}.${base64(claims)}`;
    const mac = createHmac('sha256', 'secret').update(signed).digest('base64url');
    await rejected(`${signed}.${mac}`);
  }
  expect(issuer.jwksRequests()).toBe(asked);
});

test('E041 token without kid', async () => {
  const asked = issuer.jwksRequests();
  await rejected(await issuer.token({}, { header: { kid: undefined } }));
  expect(issuer.jwksRequests()).toBe(asked);
});

test('E042 an unknown kid refetches the keys once and is rejected', async () => {
  const asked = issuer.jwksRequests();
  await rejected(await issuer.token({}, { header: { kid: 'nobody-knows' } }));
  await rejected(await issuer.token({}, { header: { kid: 'nobody-knows' } }));
  expect(issuer.jwksRequests() - asked).toBe(1);
});

test('E043 E053 expired, wrong audience, wrong issuer, changed bytes', async () => {
  const bad = [
    await issuer.token({}, { expiresInSecs: -5 }),
    await issuer.token({ aud: 'another' }),
    await issuer.token({ iss: 'https://issuer.example' }),
    await stranger.token({ iss: issuer.issuer }),
  ];
  const [header, payload, signature] = (await issuer.token()).split('.') as [string, string, string];
  const more = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), roles: ['escurel:admin'] };
  for (const token of [...bad, `${header}.${base64(more)}.${signature}`])
    expect(await rejected(token)).toMatch(/^token rejected:/);
});

test('E044 a token without the tenant claim names what is missing', async () => {
  expect(await rejected(await issuer.token({ tenant: undefined }))).toContain('tenant');
});

test('E045 the admin role is an array with the value, or exactly the value', async () => {
  expect(await isAdmin({ roles: ['x', 'escurel:admin'] })).toBe(true);
  expect(await isAdmin({ roles: 'escurel:admin' })).toBe(true);
  for (const roles of ['x escurel:admin', 'escurel:admin,x', ' escurel:admin', ['escurel:admins'], 'Escurel:Admin', {}])
    expect(await isAdmin({ roles })).toBe(false);
});

test('E046 groups from an array', async () => {
  expect(await readable({ roles: ['red', 7, null, 'blue'] })).toEqual(['blue', 'red']);
});

test('E047 groups from a string', async () => {
  for (const roles of ['red blue', 'red,blue', '\tred\r\n, ,blue '])
    expect(await readable({ roles })).toEqual(['blue', 'red']);
});

test('E048 no groups without the claim', async () => {
  expect(await readable({})).toEqual([]);
});

test('E049 groups come from the claim roles unless another is named', async () => {
  expect(await readable({ groups: ['red'], roles: ['blue'] })).toEqual(['blue']);
});

test('E050 a group equal to the admin role value is no group; escurel:admins is one', async () => {
  expect(await readable({ roles: 'escurel:admin escurel:admins' })).toEqual(['escurel-admins']);
});

test('E051 a token cannot bring the groups public, owner and admin', async () => {
  expect(await readable({ roles: ['owner', 'admin', 'public'] })).toEqual([]);
  expect((await admin.ok('expand', { page_id: path('note', 'special-owner') })).page).not.toBeNull();
});

test('E054 keys are looked up below the issuer', () => {
  expect(issuer.jwksUri).toBe(`${issuer.issuer}/protocol/openid-connect/certs`);
  expect(issuer.jwksRequests()).toBeGreaterThan(0);
});

test('E056 an admin tool asks for the admin role', async () => {
  const agent = client(cairn.origin, await issuer.token());
  for (const [tool, args] of [
    ['tenant_get', {}],
    ['create_tenant', { tenant_id: 'x' }],
    ['add_group_member', {}],
    ['admin_quota', { tenant_id: 'other' }],
  ] as const) {
    const error = await agent.fails(tool, args);
    if (error.code === -32601) continue; // not built yet
    expect(error).toMatchObject({
      code: -32001,
      message: expect.stringMatching(/admin/),
      data: { code: 'admin_required', retryable: false },
    });
  }
});

test('E042 keys that were rotated are found by the first token that names them', async () => {
  // A fetch that brought nothing new stands between; a fresh server has none of them.
  const fresh = await startCairn({ GROUNDNOTE_AUTH_OIDC_ISSUER: issuer.issuer });
  try {
    expect((await client(fresh.origin, await issuer.token()).post(ping)).status).toBe(200);
    const old = await issuer.token({ sub: 'late' });
    await issuer.rotateKeys();
    expect((await client(fresh.origin, await issuer.token()).post(ping)).status).toBe(200);
    expect((await client(fresh.origin, old).post(ping)).status).toBe(401);
  } finally {
    await fresh.stop();
  }
});

test('E693 health needs no token', async () => {
  for (const route of ['/healthz', '/readyz', '/version', '/openapi.json']) {
    expect((await request(cairn.origin + route)).status).toBe(200);
  }
});
