import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { writeInstance, writeSkill } from './page.ts';

let one: TestIssuer;
let two: TestIssuer;
let unlisted: TestIssuer;
let cairn: Cairn;
let admin: Client;
beforeAll(async () => {
  [one, two, unlisted] = await Promise.all([startIssuer(), startIssuer(), startIssuer()]);
  cairn = await startCairn(
    {
      ESCUREL_CONFIG: 'escurel.toml',
      ESCUREL_AUTH_OIDC_ISSUER: one.issuer,
      CAIRN_AUTH_OIDC_ISSUER_2: two.issuer,
      GROUNDNOTE_AUTH_JWKS_URI_2: two.jwksUri,
      ESCUREL_AUTH_OIDC_ISSUER_4: unlisted.issuer,
      ESCUREL_AUTH_GROUPS_CLAIM: 'teams',
    },
    {
      'escurel.toml': [
        '[server]',
        'tenant = "acme"',
        '[auth]',
        `oidc_issuer = "${unlisted.issuer}"`,
        'oidc_audience = "knowledge"',
        'tenant_claim = "org"',
        'admin_role_claim = "grants"',
        'admin_role_value = "boss"',
        'groups_claim = "never-asked-for"',
      ].join('\n'),
    },
  );
  admin = client(cairn.origin, await one.token({ ...GOOD, grants: ['boss'] }));
  await writeSkill(admin, 'note');
  await writeInstance(admin, 'note', 'red', 'acl: {read: [red]}');
  await writeInstance(admin, 'note', 'boss', 'acl: {read: [boss]}');
});
afterAll(async () => {
  await cairn.stop();
  await Promise.all([one.stop(), two.stop(), unlisted.stop()]);
});

const GOOD = { aud: 'knowledge', tenant: undefined, org: 'acme' };
const status = async (token: string): Promise<number> =>
  (await client(cairn.origin, token).post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status;

test('E052 N025 N026 each listed issuer signs for itself, by the keys named for it', async () => {
  expect(await status(await one.token(GOOD))).toBe(200);
  expect(await status(await two.token(GOOD))).toBe(200);
});

test('E052 an issuer that is not listed is rejected, and none signs for another', async () => {
  expect(await status(await unlisted.token(GOOD))).toBe(401);
  expect(await status(await two.token({ ...GOOD, iss: one.issuer }))).toBe(401);
  expect(await status(await one.token({ ...GOOD, iss: two.issuer }))).toBe(401);
});

test('N018 the audience', async () => {
  expect(await status(await one.token({ ...GOOD, aud: 'escurel' }))).toBe(401);
  expect(await status(await one.token({ ...GOOD, aud: ['other', 'knowledge'] }))).toBe(200);
});

test('N006 N019 the tenant, and the claim that names it', async () => {
  expect(await status(await one.token({ ...GOOD, org: undefined, tenant: 'acme' }))).toBe(401);
  expect(await status(await one.token({ ...GOOD, org: 'default' }))).toBe(403);
  expect(await admin.ok('tenant_get')).toMatchObject({ spec: { tenant_id: 'acme' } });
});

test('N020 N021 the admin role', async () => {
  const agent = client(cairn.origin, await one.token({ ...GOOD, roles: ['escurel:admin'], grants: ['escurel:admin'] }));
  expect((await agent.fails('tenant_get')).code).toBe(-32001);
});

test('N022 the claim that feeds groups; E050 the admin value is none of them', async () => {
  const caller = client(cairn.origin, await one.token({ ...GOOD, teams: ['red', 'boss'] }));
  const { instances } = await caller.ok('list_instances', { skill_id: 'note' });
  expect(instances.map((row: { page_id: string }) => row.page_id)).toEqual(['markdown/instances/note/red.md']);
});

test('N025 the list of issuers ends at the first gap', async () => {
  const warned = await cairn.logged(({ level, msg }) => level === 'warn' && /ISSUER_4/.test(String(msg)));
  expect(JSON.stringify(warned)).not.toContain(unlisted.issuer);
});
