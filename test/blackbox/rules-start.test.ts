import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIssuer } from '../support/issuer.ts';
import { makeFolder, refusedStart, type LogLine } from './cairn.ts';
import { client } from './client.ts';
import { refusal, RULES_ENV, rulesConfig, startRules, type Rules } from './rules.ts';

let cairn: Rules;
beforeAll(async () => (cairn = await startRules()));
afterAll(() => cairn.stop());

const again = (): Promise<Rules> => startRules({ folder: cairn.folder, origin: cairn.origin });
const path = (...names: string[]): string => join(cairn.folder, 'data', ...names);

describe('what refuses a start', () => {
  const config = rulesConfig('http://127.0.0.1:8080', '/nowhere');
  const start = (over: object, env: Readonly<Record<string, string>> = {}) =>
    refusedStart({ ...RULES_ENV, ...env }, { 'cairn.json': JSON.stringify({ ...config, ...over }) });

  test.each<[string, object, RegExp]>([
    ['a flag that is a word', { limits: { trusted_proxy: 'yes' } }, /trusted_proxy must be true or false/],
    ['a limit that is text', { limits: { requests_per_minute: '60' } }, /requests_per_minute must be/],
    ['an unknown key below', { search: { lexical: { features: { stems: true } } } }, /stems/],
    ['no backup', { backup: undefined }, /backup/],
  ])('[ST31, ST32, ST35] %s', (_, over, why) => {
    const { code, stderr } = start(over);
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(stderr).toMatch(/^[a-z-]+: /);
  });

  test('[OS4, CL7] a server on the same folder, in the words of the contract and each code once', async () => {
    const { code, stderr } = refusedInFolder();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^ops-socket-unavailable: .* served by another process\n$/),
    ]);
    expect((await cairn.operator('GET', '/ops/status')).status).toBe(200);
    expect((await cairn.v1('GET', '/v1/status')).status).toBe(200);
  });

  /** A second start in the folder of the first. */
  const refusedInFolder = () =>
    refusedStart({
      ...RULES_ENV,
      CAIRN_DATA_DIR: path(),
      CAIRN_CONFIG: join(cairn.folder, 'cairn.json'),
    });
});

describe('what locks a scope', () => {
  test('[RU6, RU7] a file that is gone or of another scope: 503, an error in the log, the others go on', async () => {
    await cairn.proposed(1);
    await cairn.end();
    const aside = join(makeFolder(), 'sales.sqlite');
    renameSync(path('scopes', 'sales.sqlite'), aside);
    const damages = [() => {}, () => copyFileSync(path('scopes', 'tech.sqlite'), path('scopes', 'sales.sqlite'))];
    for (const damage of damages) {
      for (const end of ['', '-wal', '-shm']) rmSync(path('scopes', `sales.sqlite${end}`), { force: true });
      damage();
      cairn = await again();
      expect(refusal(await cairn.v1('GET', '/v1/rules?scope=sales'))).toBe('503 scope-locked');
      expect((await cairn.v1('GET', '/v1/rules?scope=tech')).status).toBe(200);
      const { json } = await cairn.v1('GET', '/v1/status');
      expect(json.scopes[0]).toMatchObject({ scope: 'sales', created: true, locked: true, counts: null });
      expect((await cairn.operator('POST', '/ops/scopes', { name: 'sales' })).status).toBe(503);
      await cairn.logged((line: LogLine) => line['msg'] === 'scope.locked' && line['level'] === 'error');
      await cairn.end();
    }
    for (const end of ['', '-wal', '-shm']) rmSync(path('scopes', `sales.sqlite${end}`), { force: true });
    renameSync(aside, path('scopes', 'sales.sqlite'));
    copyFileSync(path('scopes', 'tech.sqlite'), path('scopes', 'stray.sqlite'));
    cairn = await again();
    expect((await cairn.v1('GET', '/v1/rules?scope=sales')).json.rules).toHaveLength(1);
    await cairn.logged((line: LogLine) => line['file'] === 'stray.sqlite' && line['level'] === 'warn');
  });
});

describe('issuers', () => {
  test('[AU73, MR1, AU15] keys that cannot be had are a fault of ours, tokens of the future are none', async () => {
    const issuer = await startIssuer();
    const claims = { sub: 'anna', email: 'anna@example.org' };
    const env = {
      CAIRN_AUTH_MODE: 'oidc',
      CAIRN_AUTH_OIDC_ISSUER: issuer.issuer,
      CAIRN_AUTH_OIDC_AUDIENCE: 'escurel',
      CAIRN_AUTH_APPROVAL_CLIENT_ID: 'approval',
    };
    const rules = await startRules({ env });
    try {
      expect((await rules.v1('GET', '/v1/status', undefined, await issuer.token(claims))).status).toBe(200);
      const iat = Math.floor(Date.now() / 1000) + 120;
      const early = await issuer.token({ ...claims, iat });
      expect(refusal(await rules.v1('GET', '/v1/status', undefined, early))).toBe('401 unauthorized');
      await rules.end();
      const token = await issuer.token(claims);
      await issuer.stop();
      const blind = await startRules({ env, folder: rules.folder, origin: rules.origin });
      for (const answer of [
        await blind.v1('GET', '/v1/status', undefined, token),
        await client(blind.origin, token, '/mcp/rules').rpc('tools/list'),
      ]) {
        expect(refusal(answer)).toBe('500 internal');
        expect(Object.keys(answer.json).sort()).toEqual(['error', 'request_id']);
      }
      await blind.end();
    } finally {
      await rules.stop();
    }
  });
});
