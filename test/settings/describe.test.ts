import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeValues, KEYS, REFUSAL_CODES, rowOf, variablesOf } from '../../src/kernel/settings/index.ts';
import { DEV, OPEN, OTHER_TOKEN, read, readJson, refusalsOf, TOKEN, warningsOf } from './reading.ts';

const secrets = KEYS.filter(key => rowOf(key).secret);
const everything = (reading: ReturnType<typeof read>): string =>
  JSON.stringify([describeValues(reading.values), refusalsOf(reading), warningsOf(reading)]);

describe('settings as people see them', () => {
  test('[ST50] each stands with its value and where it comes from, secrets hidden', () => {
    const reading = readJson(
      { server: { tenant: 'acme', listen_http: '[::1]:7000' } },
      { ...DEV, CAIRN_DEV_ADMIN_TOKEN: OTHER_TOKEN, CAIRN_METRICS_LISTEN: '[::1]:9090' },
    );
    const byKey = new Map(describeValues(reading.values).map(one => [one.key, one]));
    expect(byKey.get('server.tenant')).toEqual({
      key: 'server.tenant',
      value: 'acme',
      source: 'server.tenant in cairn.json',
    });
    expect(byKey.get('server.port')).toEqual({
      key: 'server.port',
      value: '7000',
      source: 'server.listen_http in cairn.json',
    });
    expect(byKey.get('observability.metrics_listen')?.value).toBe('[::1]:9090');
    expect(byKey.get('quotas.queries_per_minute')).toMatchObject({ value: '600', source: 'default' });
    expect(byKey.get('search.languages')?.value).toBe('["de","en"]');
    expect(byKey.get('dev.mcp_token')).toEqual({
      key: 'dev.mcp_token',
      value: '********',
      source: 'CAIRN_DEV_MCP_TOKEN',
    });
    expect(byKey.get('dev.api_token')).toMatchObject({ value: null, source: 'default' });
    expect(byKey.has('server.listen_http')).toBe(false);
    expect(everything(reading)).not.toContain(TOKEN);
  });

  test('[ST50] no secret is repeated, whatever it is and wherever it went wrong', () => {
    expect(secrets.length).toBeGreaterThan(20);
    const word = fc.stringMatching(/^[a-zA-Z0-9:/@_-]{12,60}$/).map(text => `hush${text}`);
    fc.assert(
      fc.property(fc.constantFrom(...secrets), word, fc.constantFrom('', ' ', '\n'), (key, secret, end) => {
        const name = variablesOf(rowOf(key))[0]![0]!;
        const env = { ...DEV, [name]: secret + end, CAIRN_DEV_APPROVAL_TOKEN: secret };
        expect(everything(read(env))).not.toContain(secret);
      }),
    );
  });

  test('[ST50] a secret under the wrong name is not repeated either', () => {
    const lost = `hush ${TOKEN}`;
    const read1 = (name: string) => everything(read({ ...OPEN, [name]: lost }));
    const loud = KEYS.filter(key => read1(variablesOf(rowOf(key))[0]?.[0] ?? 'CAIRN_X').includes(lost));
    // Free texts show what they hold; everything that has a form of its own refuses without a word of it.
    expect(loud.filter(key => !/^(text|path|URL|host or URL|Postgres address|gs:)/.test(rowOf(key).kind.says))).toEqual(
      [],
    );
    expect(JSON.stringify(refusalsOf(read({ ...OPEN, CAIRN_PORT: lost })))).not.toContain('hush');
  });

  test('[ST50] codes of refusals are pinned', () => {
    expect(REFUSAL_CODES).toEqual([
      'config-missing',
      'config-unreadable',
      'config-syntax',
      'config-unknown-key',
      'config-invalid',
      'secret-in-config',
      'setting-invalid',
      'setting-missing',
      'settings-conflict',
      'secret-missing',
      'secret-too-short',
      'secrets-equal',
      'auth-mode-missing',
      'auth-mode-unknown',
      'host-not-loopback',
      'access-missing',
      'team-domain-not-https',
      'public-url-not-https',
      'dev-variables-set',
      'audiences-equal',
      'reader-needs-ducklake',
      'ops-port-removed',
    ]);
  });
});
