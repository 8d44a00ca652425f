import { describe, expect, test } from 'vitest';
import { DEV, OPEN, read, readJson, refusalsOf, started, warningsOf } from './reading.ts';

describe('variables', () => {
  test('[ST10] two spellings with different values are refused, naming both', () => {
    expect(refusalsOf(read({ ...OPEN, CAIRN_TENANT: 'a', ESCUREL_TENANT: 'b' }))).toEqual([
      'settings-conflict: CAIRN_TENANT and ESCUREL_TENANT both set server.tenant, but differ',
    ]);
    expect(refusalsOf(read({ ...OPEN, CAIRN_DATA_DIR: '/a', GROUNDNOTE_SERVER_DATA_DIR: '/b' }))).toHaveLength(1);
    expect(
      refusalsOf(read({ ...OPEN, ESCUREL_OTLP_ENDPOINT: 'http://a', ESCUREL_OBSERVABILITY_OTLP_ENDPOINT: 'http://b' })),
    ).toHaveLength(1);
    expect(
      refusalsOf(
        read({ ...OPEN, CAIRN_CONFIG: 'a.json', GROUNDNOTE_CONFIG: 'b.json' }, { 'a.json': '{}', 'b.json': '{}' }),
      ),
    ).toHaveLength(1);
  });

  test('[ST10] equal values are one value, also in other words', () => {
    const reading = read({
      ...DEV,
      CAIRN_HOST: '0.0.0.0',
      CAIRN_DEV_ALLOW_NON_LOOPBACK: 'YES',
      GROUNDNOTE_DEV_ALLOW_NON_LOOPBACK: '1',
    });
    expect(started(reading).server.host).toBe('0.0.0.0');
  });

  test('[ST11] a bare VERSION and ENV win over prefixed ones, and do not have to agree with them', () => {
    const { server } = started(read({ ...OPEN, VERSION: '2', ESCUREL_VERSION: '1', ENV: 'prod', CAIRN_ENV: 'stage' }));
    expect([server.version, server.env]).toEqual(['2', 'prod']);
    expect(started(read({ ...OPEN, GROUNDNOTE_VERSION: '1' })).server.version).toBe('1');
  });

  test('[ST11] the log ignores the bare ENV', () => {
    expect(started(read({ ...OPEN, ENV: 'prod' })).observability.logEnv).toBe('dev');
    expect(started(read({ ...OPEN, ENV: 'prod', ESCUREL_ENV: 'stage' })).observability.logEnv).toBe('stage');
    expect(refusalsOf(read({ ...OPEN, CAIRN_ENV: 'a', ESCUREL_ENV: 'b', ENV: 'c' }))).toEqual([
      'settings-conflict: CAIRN_ENV and ESCUREL_ENV both set observability.log_env, but differ',
    ]);
  });

  test('[ST11] the bare Gemini key counts only without a prefixed one', () => {
    const both = read({ ...OPEN, GEMINI_API_KEY: 'bare', ESCUREL_GEMINI_API_KEY: 'ours' });
    expect(both.values.source('embedding.gemini_api_key')).toEqual({
      from: 'variable',
      name: 'ESCUREL_GEMINI_API_KEY',
    });
    expect(read({ ...OPEN, GEMINI_API_KEY: 'bare' }).values.get('embedding.gemini_api_key')).toBe('bare');
  });

  test.each(['', '   ', undefined])('[ST12] %j is no value', blank => {
    const reading = read({
      ...OPEN,
      CAIRN_PORT: blank,
      CAIRN_AUTH_OIDC_ISSUER: blank,
      ESCUREL_PORT: '9000',
      VERSION: blank,
      CAIRN_VERSION: '3',
    });
    expect(started(reading).server).toMatchObject({ port: 9000, version: '3' });
    expect(refusalsOf(read({ ESCUREL_AUTH_OIDC_ISSUER: blank }))).toEqual([
      expect.stringMatching(/^auth-mode-missing: /),
    ]);
  });

  test.each([
    [undefined, 'main'],
    ['', 'off'],
    ['  ', 'off'],
    ['off', 'off'],
    ['OFF', 'off'],
    ['0.0.0.0:9090', { host: '0.0.0.0', port: 9090 }],
    ['[::1]:9090', { host: '::1', port: 9090 }],
  ])('[ST12] the metrics listener %j', (value, metrics) => {
    expect(started(read({ ...OPEN, ESCUREL_OBSERVABILITY_METRICS_LISTEN: value })).observability.metrics).toEqual(
      metrics,
    );
  });

  test('[ST13] variables win over cairn.json, and it wins over defaults', () => {
    const config = { server: { tenant: 'file', port: 9000 } };
    expect(started(readJson(config, { ...OPEN, ESCUREL_TENANT: 'env' })).server).toMatchObject({
      tenant: 'env',
      port: 9000,
      host: '127.0.0.1',
    });
  });

  test('[ST15] host and port in one value', () => {
    expect(started(read({ ...OPEN, ESCUREL_SERVER_LISTEN_HTTP: '[::1]:7000' })).server).toMatchObject({
      host: '::1',
      port: 7000,
    });
    expect(started(read({ ...OPEN, CAIRN_LISTEN_HTTP: 'localhost:7000', CAIRN_PORT: '7000' })).server.port).toBe(7000);
    expect(refusalsOf(read({ ...OPEN, CAIRN_LISTEN_HTTP: '127.0.0.1:7000', CAIRN_PORT: '7001' }))).toEqual([
      'settings-conflict: CAIRN_PORT and CAIRN_LISTEN_HTTP both set server.port, but differ',
    ]);
    expect(refusalsOf(read({ ...OPEN, CAIRN_LISTEN_HTTP: '127.0.0.1:7000', GROUNDNOTE_HOST: '::1' }))).toHaveLength(1);
  });

  test('[ST15] a variable for the port wins over a file with both', () => {
    const reading = readJson({ server: { listen_http: 'localhost:7000' } }, { ...OPEN, CAIRN_PORT: '7001' });
    expect(started(reading).server).toMatchObject({ host: 'localhost', port: 7001 });
  });

  test.each([
    ['CAIRN_PORT', '80a', 'CAIRN_PORT must be a whole number from 0 to 65535'],
    ['ESCUREL_PORT', '65536', 'ESCUREL_PORT must be a whole number from 0 to 65535'],
    ['CAIRN_PORT', '-1', 'CAIRN_PORT must be a whole number from 0 to 65535'],
    ['CAIRN_PORT', '8e3', 'CAIRN_PORT must be a whole number from 0 to 65535'],
    [
      'CAIRN_PORT',
      'tcp://10.0.0.7:80',
      'CAIRN_PORT must be a whole number from 0 to 65535; a service link of the cluster set it, turn service links off',
    ],
    ['CAIRN_HOST', 'a b', 'CAIRN_HOST must be a host name or an IP address'],
    ['CAIRN_HOST', '[127.0.0.1]', 'CAIRN_HOST must be a host name or an IP address'],
    ['CAIRN_LISTEN_HTTP', ':8080', 'CAIRN_LISTEN_HTTP must be host:port, an IPv6 address in brackets'],
    ['CAIRN_LISTEN_HTTP', '::1:8080', 'CAIRN_LISTEN_HTTP must be host:port, an IPv6 address in brackets'],
    ['CAIRN_LISTEN_HTTP', 'localhost:70000', 'CAIRN_LISTEN_HTTP must be host:port, an IPv6 address in brackets'],
    ['ESCUREL_EVENT_ACL', 'on', 'ESCUREL_EVENT_ACL must be one of off, log, enforce'],
    ['ESCUREL_AUTONOMY_LINT', 'warn', 'ESCUREL_AUTONOMY_LINT must be one of off, log, enforce'],
    ['ESCUREL_REBUILD_INDEX_ON_BOOT', 'never', 'ESCUREL_REBUILD_INDEX_ON_BOOT must be one of if-missing, always'],
    ['ESCUREL_EMBEDDING_DIM', 'many', 'ESCUREL_EMBEDDING_DIM must be a whole number from 1 to 4096'],
    ['ESCUREL_SEARCH_MIN_SIMILARITY', '1.5', 'ESCUREL_SEARCH_MIN_SIMILARITY must be a number from -1 to 1'],
    ['ESCUREL_SEARCH_MIN_SIMILARITY', '.', 'ESCUREL_SEARCH_MIN_SIMILARITY must be a number from -1 to 1'],
    ['ESCUREL_WRITER_LEASE', 'maybe', 'ESCUREL_WRITER_LEASE must be true or false'],
    [
      'CAIRN_PUBLIC_URL',
      'https://a.example.org/',
      'CAIRN_PUBLIC_URL must be an http or https URL without trailing slash, query, user name and password',
    ],
    [
      'CAIRN_PUBLIC_URL',
      'a.example.org',
      'CAIRN_PUBLIC_URL must be an http or https URL without trailing slash, query, user name and password',
    ],
    [
      'CAIRN_AUTH_OIDC_ISSUER',
      'ftp://a.example.org',
      'CAIRN_AUTH_OIDC_ISSUER must be a URL (http, https) without user name and password',
    ],
    [
      'CAIRN_AUTH_JWKS_URI',
      'https://u:p@a.example.org',
      'CAIRN_AUTH_JWKS_URI must be a URL (http, https) without user name and password',
    ],
    [
      'CAIRN_ALLOWED_ORIGINS',
      'https://a.example.org, https://b.example.org/x',
      'CAIRN_ALLOWED_ORIGINS every entry must be an origin such as https://notes.example.com',
    ],
    ['CAIRN_ALLOWED_HOSTS', 'a/b', 'CAIRN_ALLOWED_HOSTS every entry must be a host name, with or without port'],
    ['CAIRN_DEV_IDENTITY', 'somebody', 'CAIRN_DEV_IDENTITY must be an e-mail address'],
    ['CAIRN_DATA_DIR', 'a\u0000b', 'CAIRN_DATA_DIR must be a text of one line'],
  ])('[ST17] %s=%s is refused', (name, value, message) => {
    expect(refusalsOf(read({ ...OPEN, [name]: value }))).toEqual([`setting-invalid: ${message}`]);
  });

  test('[ST17] every bad value is reported at once', () => {
    const env = { ...OPEN, CAIRN_PORT: 'x', CAIRN_TENANT: 'A', CAIRN_CONFIG: 'gone.json' };
    expect(refusalsOf(read(env)).map(line => line.split(' ')[0])).toEqual([
      'setting-invalid:',
      'setting-invalid:',
      'config-missing:',
    ]);
  });

  test.each(['none', 'enforced', 'true'])(
    '[ST17] the write-access mode %j counts as off, which a warning says',
    mode => {
      const reading = read({ ...OPEN, ESCUREL_WRITE_ACL: mode });
      expect(started(reading).acl.write).toBe('off');
      expect(warningsOf(reading)).toEqual([
        'value-unknown: ESCUREL_WRITE_ACL: not one of off, log, enforce: off is used',
      ]);
    },
  );

  test('[ST17] words count in any case, flags in several words', () => {
    expect(started(read({ ...OPEN, ESCUREL_WRITE_ACL: ' Enforce ' })).acl.write).toBe('enforce');
    expect(started(read({ ...OPEN, ESCUREL_REBUILD_INDEX_ON_BOOT: 'missing' })).server.rebuildIndexOnBoot).toBe(
      'if-missing',
    );
    for (const off of ['off', 'FALSE', '0', 'no']) {
      expect(read({ ...OPEN, ESCUREL_WRITER_LEASE: off }).values.get('ducklake.writer_lease')).toBe(false);
    }
  });

  test('[ST17] an ingest mode that is not known counts as structural', () => {
    const reading = read({ ...OPEN, ESCUREL_INGEST_CONTEXTUALIZE: 'deep' });
    expect(reading.ok && reading.values.get('ingest.contextualize')).toBe('structural');
    expect(warningsOf(reading)[0]).toMatch(/^value-unknown: ESCUREL_INGEST_CONTEXTUALIZE: .*: structural is used$/);
  });

  test('[ST17] lists are separated by commas', () => {
    const { server } = started(
      read({
        ...OPEN,
        CAIRN_ALLOWED_HOSTS: 'Notes.example.org , [::1]:8080,',
        CAIRN_ALLOWED_ORIGINS: 'https://a.example.org',
      }),
    );
    expect(server).toMatchObject({
      allowedHosts: ['notes.example.org', '[::1]:8080'],
      allowedOrigins: ['https://a.example.org'],
    });
  });

  test('[ST19] a slip in the name of a variable gives a warning, a stranger does not', () => {
    const reading = read({
      ...OPEN,
      CAIRN_WRIET_ACL: 'enforce',
      CAIRN_PORT_8080_TCP_ADDR: '10.0.0.7',
      ESCUREL_RUNNER_CONCURRENCY: '3',
    });
    expect(warningsOf(reading)).toEqual([
      'name-unknown: CAIRN_WRIET_ACL is not a setting; did you mean CAIRN_WRITE_ACL?',
    ]);
  });

  test.each([
    ['debug', 'debug'],
    ['INFO', 'info'],
    ['warn,hyper=trace', 'warn'],
    ['hyper=off,escurel=debug', 'debug'],
    ['off', 'silent'],
  ])('[ST21] the log filter %j means %s', (filter, level) => {
    const reading = read({ ...OPEN, RUST_LOG: filter });
    expect([started(reading).observability.logLevel, warningsOf(reading)]).toEqual([level, []]);
  });

  test('[ST21] RUST_LOG wins over the prefixed names', () => {
    const env = { ...OPEN, CAIRN_LOG_LEVEL: 'warn' };
    expect(started(read(env)).observability.logLevel).toBe('warn');
    expect(started(read({ ...env, RUST_LOG: 'debug' })).observability.logLevel).toBe('debug');
    expect(refusalsOf(read({ ...env, ESCUREL_OBSERVABILITY_LOG_LEVEL: 'debug' }))).toHaveLength(1);
  });

  test.each(['hyper=trace', '/x/', 'verbose'])('[ST21] the log filter %j names no level', filter => {
    const reading = read({ ...OPEN, RUST_LOG: filter });
    expect(started(reading).observability.logLevel).toBe('info');
    expect(warningsOf(reading)).toEqual(['value-unknown: RUST_LOG: names no level for this program: info is used']);
  });

  test.each([
    [undefined, '/srv/notes/data'],
    ['/var/lib/notes', '/var/lib/notes'],
    ['store', '/srv/notes/store'],
    ['./store', '/srv/notes/store'],
    ['../store', '/srv/notes/../store'],
  ])('[ST22] the data folder %j', (folder, absolute) => {
    expect(started(read({ ...OPEN, CAIRN_DATA_DIR: folder })).server.dataDir).toBe(absolute);
  });
});

describe('numbered issuers', () => {
  const FIRST = { CAIRN_AUTH_OIDC_ISSUER: 'https://one.example.org' };
  const issuersOf = (env: Record<string, string>) => {
    const { auth } = started(read({ ...FIRST, ...env }));
    return auth.mode === 'oidc' && auth.oidc.issuers;
  };

  test('[ST16] they follow the first one, in any spelling, up to the first gap', () => {
    const env = {
      ESCUREL_AUTH_OIDC_ISSUER_2: 'https://two.example.org',
      ESCUREL_AUTH_JWKS_URI_2: 'https://two.example.org/keys',
      GROUNDNOTE_AUTH_OIDC_ISSUER_3: 'https://three.example.org',
      CAIRN_AUTH_OIDC_ISSUER_5: 'https://five.example.org',
      CAIRN_AUTH_JWKS_URI_6: 'https://six.example.org',
    };
    expect(issuersOf(env)).toEqual([
      { issuer: 'https://one.example.org', jwksUri: null },
      { issuer: 'https://two.example.org', jwksUri: 'https://two.example.org/keys' },
      { issuer: 'https://three.example.org', jwksUri: null },
    ]);
    expect(warningsOf(read({ ...FIRST, ...env }))).toEqual([
      'series-gap: CAIRN_AUTH_JWKS_URI_6 is not read: there is no issuer 4',
      'series-gap: CAIRN_AUTH_OIDC_ISSUER_5 is not read: there is no issuer 4',
    ]);
  });

  test('[ST16] in cairn.json they are a list, which numbered variables replace', () => {
    const config = { auth: { oidc: { more_issuers: [{ issuer: 'https://file.example.org' }] } } };
    const read2 = (env: Record<string, string>) =>
      readJson(config, { ...FIRST, ...env }).values.get('auth.oidc.more_issuers');
    expect(read2({})).toEqual([{ issuer: 'https://file.example.org' }]);
    expect(read2({ CAIRN_AUTH_OIDC_ISSUER_2: 'https://two.example.org' })).toEqual([
      { issuer: 'https://two.example.org' },
    ]);
  });

  test('[ST10, ST17] spellings of one number must agree, values must be addresses', () => {
    const env = {
      ...FIRST,
      CAIRN_AUTH_OIDC_ISSUER_2: 'https://a.example.org',
      ESCUREL_AUTH_OIDC_ISSUER_2: 'https://b.example.org',
    };
    expect(refusalsOf(read(env))).toEqual([
      'settings-conflict: CAIRN_AUTH_OIDC_ISSUER_2 and ESCUREL_AUTH_OIDC_ISSUER_2 are the same setting, but differ',
    ]);
    expect(refusalsOf(read({ ...FIRST, CAIRN_AUTH_OIDC_ISSUER_2: 'two' }))).toEqual([
      'setting-invalid: CAIRN_AUTH_OIDC_ISSUER_2 must be a URL (http, https) without user name and password',
    ]);
  });
});
