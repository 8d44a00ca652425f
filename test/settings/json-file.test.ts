import { describe, expect, test } from 'vitest';
import { OPEN, read, readJson, refusalsOf, started } from './reading.ts';

describe('which file', () => {
  const files = { 'cairn.json': '{"server":{"tenant":"a"}}', 'groundnote.json': '{"server":{"tenant":"b"}}' };

  test('[ST30] cairn.json, else groundnote.json, else none', () => {
    expect(started(read(OPEN, files)).server.tenant).toBe('a');
    const second = read(OPEN, { 'groundnote.json': files['groundnote.json'] });
    expect(started(second).server.tenant).toBe('b');
    expect(second.config).toEqual({ path: '/srv/notes/groundnote.json', exists: true });
    expect(read(OPEN).config).toEqual({ path: '/srv/notes/cairn.json', exists: false });
  });

  test.each(['CAIRN_CONFIG', 'GROUNDNOTE_CONFIG'])('[ST30] the one that %s names, which has to be there', name => {
    const named = read({ ...OPEN, [name]: 'etc/x.json' }, { ...files, 'etc/x.json': '{"server":{"tenant":"c"}}' });
    expect(started(named).server.tenant).toBe('c');
    expect(read({ ...OPEN, [name]: '/etc/x.json' }, { '/etc/x.json': '{}' }).config).toEqual({
      path: '/etc/x.json',
      exists: true,
    });
    expect(refusalsOf(read({ ...OPEN, [name]: 'etc/x.json' }, files))).toEqual([
      'config-missing: etc/x.json is not there',
    ]);
  });

  test('[ST34] a file that cannot be read refuses the start, whatever was thrown', () => {
    const locked = Object.assign(new Error('secret detail'), { code: 'EACCES' });
    expect(refusalsOf(read(OPEN, { 'cairn.json': locked }))).toEqual([
      'config-unreadable: cairn.json cannot be read (EACCES)',
    ]);
    expect(refusalsOf(read(OPEN, { 'cairn.json': new Error('odd') }))).toEqual([
      'config-unreadable: cairn.json cannot be read',
    ]);
  });
});

describe('strict JSON', () => {
  test.each([
    ['', '1:1: the text ends too early'],
    ['{', '1:2: a key in double quotes is expected here'],
    ['{\n  "server": {},\n}', '3:1: a key in double quotes is expected here'],
    ['{\n  // remark\n}', '2:3: a key in double quotes is expected here'],
    ["{'a': 1}", '1:2: a key in double quotes is expected here'],
    ['{"a" 1}', '1:6: a colon is expected here'],
    ['{"a": 1 "b": 2}', '1:9: a comma or a closing brace is expected here'],
    ['{"a": [1 2]}', '1:10: a comma or a closing bracket is expected here'],
    ['{"a": tru}', '1:7: a value is expected here'],
    ['{"a": 01}', '1:8: a comma or a closing brace is expected here'],
    ['{"a": "hush', '1:7: this text does not end, or holds what must be escaped'],
    ['{"a": "hush\n"}', '1:7: this text does not end, or holds what must be escaped'],
    ['{"a": 1} x', '1:10: the text should end here'],
    ['{"zone": "UTC",\r\n "zone": "UTC"}', '2:2: the key "zone" stands twice'],
    [`{"a": ${'['.repeat(100_000)}`, '1:39: nested too deeply'],
  ])('[ST31] %.40s', (text, message) => {
    expect(refusalsOf(read(OPEN, { 'cairn.json': text }))).toEqual([`config-syntax: cairn.json:${message}`]);
  });

  test('[ST31] a byte order mark is skipped', () => {
    expect(started(read(OPEN, { 'cairn.json': '\uFEFF{"server": {"tenant": "a"}}' })).server.tenant).toBe('a');
    expect(refusalsOf(read(OPEN, { 'cairn.json': '\uFEFF{,' }))).toEqual([
      'config-syntax: cairn.json:1:2: a key in double quotes is expected here',
    ]);
  });

  test.each(['[]', 'null', '"a"', '7'])('[ST31] %s is no configuration', text => {
    expect(refusalsOf(read(OPEN, { 'cairn.json': text }))).toEqual([
      'config-invalid: cairn.json: must hold one object',
    ]);
  });
});

describe('keys and values', () => {
  test.each([
    [{ sever: {} }, '2:3: sever is not a known key; did you mean server?'],
    [{ server: { prot: 1 } }, '3:5: server.prot is not a known key; did you mean server.port?'],
    [{ auth: { oidc: { isuer: 'x' } } }, '4:7: auth.oidc.isuer is not a known key; did you mean auth.oidc.issuer?'],
    [{ Zone: 'UTC' }, '2:3: Zone is not a known key; did you mean zone?'],
    [{ entirely_else: 1 }, '2:3: entirely_else is not a known key'],
    [
      { backup: { kind: 'copy', directory: '/b', deadman_url: 'https://p.example.org', dirctory: '/c' } },
      '6:5: backup.dirctory is not a known key; did you mean directory?',
    ],
    [
      { scopes: [{ name: 'sales', providers_alowed: [] }] },
      '5:7: scopes.0.providers_alowed is not a known key; did you mean providers_allowed?',
    ],
    [
      { approval: { scopes: { sales: { daily_limt: 3 } } } },
      '5:9: approval.scopes.sales.daily_limt is not a known key; did you mean daily_limit?',
    ],
    [
      { search: { lexical: { features: { stemm: true } } } },
      '5:9: search.lexical.features.stemm is not a known key; did you mean stem?',
    ],
    [{ config: 'x.json' }, '2:3: config does not belong in a file; set CAIRN_CONFIG'],
    [{ __proto__x: 1 }, '2:3: __proto__x is not a known key'],
  ])('[ST32] %j', (config, message) => {
    expect(refusalsOf(readJson(config))).toEqual([`config-unknown-key: cairn.json:${message}`]);
  });

  test('[ST32] __proto__ and constructor are keys like any other', () => {
    expect(
      refusalsOf(
        read(OPEN, { 'cairn.json': '{"__proto__": {"server": 1}, "constructor": 1, "server": {"toString": 1}}' }),
      ),
    ).toEqual([
      'config-unknown-key: cairn.json:1:2: __proto__ is not a known key',
      'config-unknown-key: cairn.json:1:30: constructor is not a known key',
      'config-unknown-key: cairn.json:1:59: server.toString is not a known key',
    ]);
  });

  test.each([
    [
      { auth: { session_secret: 'hush-hush' } },
      '3:5: auth.session_secret does not belong in a file; set CAIRN_SESSION_SECRET',
    ],
    [{ dev: { mcp_token: 'hush-hush' } }, '3:5: dev.mcp_token does not belong in a file; set CAIRN_DEV_MCP_TOKEN'],
    [
      { search: { typesafe_api_key: 'hush-hush' } },
      '3:5: search.typesafe_api_key does not belong in a file; set TYPESAFE_API_KEY',
    ],
  ])('[ST33, ST50] %j', (config, message) => {
    expect(refusalsOf(readJson(config))).toEqual([`secret-in-config: cairn.json:${message}`]);
  });

  test.each([
    [{ server: 7 }, '2:3: server must be an object'],
    [{ server: { port: '8080' } }, '3:5: server.port must be a whole number from 0 to 65535'],
    [{ server: { port: null } }, '3:5: server.port must be a whole number from 0 to 65535'],
    [{ allowed_origins: 'https://a.example.org' }, '2:3: allowed_origins must be an array'],
    [{ allowed_origins: [7] }, '2:3: allowed_origins every entry must be an origin such as https://notes.example.com'],
    [{ zone: 'Mars/Olympus' }, '2:3: zone must be a time zone such as Europe/Berlin'],
    [{ zone: '+01:00' }, '2:3: zone must be a time zone such as Europe/Berlin'],
    [{ instance: 'Notes' }, '2:3: instance must be a-z first, then a-z, 0-9 and -, 2 to 40 characters'],
    [{ recheck_after_days: 29 }, '2:3: recheck_after_days must be a whole number from 30 to 730'],
    [{ limits: { requests_per_minute: 0 } }, '3:5: limits.requests_per_minute must be a whole number from 1 to 100000'],
    [{ graph: { max_depth: 65 } }, '3:5: graph.max_depth must be a whole number from 2 to 64'],
    [{ frame_pages: 1 }, '2:3: frame_pages must be true or false'],
  ])('[ST17] %j is refused with its place', (config, message) => {
    expect(refusalsOf(readJson(config))).toEqual([`config-invalid: cairn.json:${message}`]);
  });

  test('[ST17] an unknown mode has a code of its own in a file as well', () => {
    expect(refusalsOf(readJson({ auth: { mode: 'basic' } }, {}))).toEqual([
      'auth-mode-unknown: cairn.json:3:5: auth.mode must be one of dev-token, oidc, cloudflare-access, open',
    ]);
  });
});
