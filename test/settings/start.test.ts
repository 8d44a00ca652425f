import { describe, expect, test } from 'vitest';
import { DEV, OPEN, OTHER_TOKEN, read, readJson, refusalsOf, started, TOKEN, warningsOf } from './reading.ts';

const OIDC = { CAIRN_AUTH_MODE: 'oidc', CAIRN_AUTH_OIDC_ISSUER: 'https://id.example.org' } as const;
const ACCESS = {
  auth: { mode: 'cloudflare-access' },
  public_url: 'https://notes.example.org',
  access: { team_domain: 'https://t.example.org', aud_mcp: 'a', aud_approval: 'b', aud_api: 'c' },
} as const;
const codesOf = (env: Record<string, string>): readonly string[] =>
  refusalsOf(read(env)).map(line => line.split(':')[0]!);

describe('the mode', () => {
  test('[ST40] there is none by default, and no start without one', () => {
    expect(refusalsOf(read({}))).toEqual([
      'auth-mode-missing: CAIRN_AUTH_MODE is not set; it is dev-token, oidc, cloudflare-access or open',
    ]);
  });

  test.each(['CAIRN_', 'GROUNDNOTE_', 'ESCUREL_'])('[ST40] %sAUTH_OIDC_ISSUER alone means oidc', prefix => {
    const reading = read({ [`${prefix}AUTH_OIDC_ISSUER`]: 'https://id.example.org' });
    expect(started(reading).auth.mode).toBe('oidc');
    expect(reading.values.source('auth.mode')).toEqual({ from: 'derived', because: `${prefix}AUTH_OIDC_ISSUER` });
  });

  test('[ST40] an issuer in a file means oidc too, and a mode that is given wins', () => {
    const config = { auth: { oidc: { issuer: 'https://id.example.org' } } };
    expect(started(readJson(config, {})).auth.mode).toBe('oidc');
    expect(started(readJson(config, OPEN)).auth.mode).toBe('open');
  });

  test('[ST41] an unknown one is refused', () => {
    expect(refusalsOf(read({ ...OIDC, CAIRN_AUTH_MODE: 'basic' }))).toEqual([
      'auth-mode-unknown: CAIRN_AUTH_MODE must be one of dev-token, oidc, cloudflare-access, open',
    ]);
  });

  test('[ST41] cloudflare-access says everything that it lacks', () => {
    const bare = { ...DEV, CAIRN_AUTH_MODE: 'cloudflare-access', CAIRN_PUBLIC_URL: 'http://notes.example.org' };
    expect(refusalsOf(read(bare))).toEqual([
      'access-missing: mode cloudflare-access needs access in cairn.json',
      'public-url-not-https: mode cloudflare-access needs public_url to be an https address',
      'dev-variables-set: mode cloudflare-access does not start with CAIRN_DEV_MCP_TOKEN, CAIRN_DEV_IDENTITY',
    ]);
    const { public_url: _, ...unnamed } = ACCESS;
    expect(refusalsOf(readJson(unnamed, {}))).toEqual([expect.stringMatching(/^public-url-not-https: /)]);
    expect(codesOf({ ...bare, GROUNDNOTE_DEV_ALLOW_NON_LOOPBACK: 'true' })).toContain('dev-variables-set');
  });

  test('[ST41] the domain of the team is reached by https alone', () => {
    const access = { ...ACCESS.access, team_domain: 'http://t.example.org' };
    expect(refusalsOf(readJson({ ...ACCESS, access }, {}))).toEqual([
      'team-domain-not-https: access.team_domain must be an https address',
    ]);
  });

  test('[ST41] cloudflare-access carries its team, audiences and admins', () => {
    expect(started(readJson({ ...ACCESS, admins: ['Root@example.org'] }, {})).auth).toEqual({
      mode: 'cloudflare-access',
      access: {
        teamDomain: 'https://t.example.org',
        audiences: { mcp: 'a', approval: 'b', api: 'c' },
        admins: ['root@example.org'],
      },
    });
  });

  test('[ST43] dev-token carries its tokens and identity', () => {
    expect(started(read(DEV)).auth).toEqual({
      mode: 'dev-token',
      dev: { identity: 'dev@example.org', mcpToken: TOKEN, adminToken: null, apiToken: null, approvalToken: null },
    });
    const { auth } = started(read({ ...DEV, ESCUREL_DEV_ADMIN_TOKEN: OTHER_TOKEN }));
    expect(auth).toMatchObject({ dev: { adminToken: OTHER_TOKEN } });
  });

  test('[ST43] what a mode needs is named', () => {
    expect(refusalsOf(read({ CAIRN_AUTH_MODE: 'dev-token' }))).toEqual([
      'secret-missing: CAIRN_DEV_MCP_TOKEN is not set; mode dev-token needs it',
      'setting-missing: CAIRN_DEV_IDENTITY is not set; mode dev-token needs it',
    ]);
    expect(refusalsOf(read({ CAIRN_AUTH_MODE: 'oidc' }))).toEqual([
      'setting-missing: CAIRN_AUTH_OIDC_ISSUER is not set; mode oidc needs it',
    ]);
  });

  test('[ST43] oidc carries the claims of the facts', () => {
    expect(started(read(OIDC)).auth).toEqual({
      mode: 'oidc',
      oidc: {
        issuers: [{ issuer: 'https://id.example.org', jwksUri: null }],
        audience: 'escurel',
        tenantClaim: 'tenant',
        adminRoleClaim: 'roles',
        adminRoleValue: 'escurel:admin',
        groupsClaim: 'roles',
        jwksRefreshSecs: 300,
        approvalClient: null,
      },
    });
  });

  test('[ST45] dev variables of another mode give a warning', () => {
    const env = { ...OPEN, CAIRN_DEV_MCP_TOKEN: TOKEN, CAIRN_DEV_IDENTITY: 'dev@example.org' };
    expect(warningsOf(read(env))).toEqual([
      'dev-variable-unused: CAIRN_DEV_MCP_TOKEN has no effect in mode open',
      'dev-variable-unused: CAIRN_DEV_IDENTITY has no effect in mode open',
    ]);
    expect(warningsOf(read(DEV))).toEqual([]);
  });
});

describe('where it listens', () => {
  test.each(['127.0.0.1', '::1', '[::1]', 'localhost', 'LOCALHOST'])('[ST42] %s is loopback', host => {
    expect(codesOf({ ...OPEN, CAIRN_HOST: host })).toEqual([]);
    expect(codesOf({ ...DEV, CAIRN_HOST: host })).toEqual([]);
  });

  test.each(['0.0.0.0', '::', '10.0.0.7', 'notes.example.org', '127.0.0.1.example.org', '::ffff:127.0.0.1'])(
    '[ST42] %s is not',
    host => {
      expect(codesOf({ ...OPEN, CAIRN_HOST: host })).toEqual(['host-not-loopback']);
      expect(codesOf({ ...OPEN, CAIRN_HOST: host, CAIRN_DEV_ALLOW_NON_LOOPBACK: 'true' })).toEqual([
        'host-not-loopback',
      ]);
      expect(codesOf({ ...DEV, CAIRN_HOST: host })).toEqual(['host-not-loopback']);
      expect(codesOf({ ...DEV, CAIRN_HOST: host, CAIRN_DEV_ALLOW_NON_LOOPBACK: 'false' })).toEqual([
        'host-not-loopback',
      ]);
      expect(codesOf({ ...DEV, CAIRN_HOST: host, CAIRN_DEV_ALLOW_NON_LOOPBACK: 'true' })).toEqual([]);
      expect(codesOf({ ...OIDC, CAIRN_HOST: host })).toEqual([]);
    },
  );

  test('[ST42] a listener given as one value counts', () => {
    expect(codesOf({ ...OPEN, ESCUREL_SERVER_LISTEN_HTTP: '0.0.0.0:8080' })).toEqual(['host-not-loopback']);
  });
});

describe('secrets', () => {
  const LONG = [
    'SESSION_SECRET',
    'OPS_TOKEN',
    'DEV_MCP_TOKEN',
    'DEV_API_TOKEN',
    'DEV_APPROVAL_TOKEN',
    'DEV_ADMIN_TOKEN',
  ];

  test.each(LONG)('[ST44] %s has at least 32 characters', name => {
    const ofLength = (length: number) =>
      read({
        ...DEV,
        CAIRN_DEV_MCP_TOKEN: undefined,
        [`ESCUREL_${name}`]: 'x'.repeat(length),
        ...(name === 'DEV_MCP_TOKEN' ? {} : { GROUNDNOTE_DEV_MCP_TOKEN: TOKEN }),
      });
    expect(refusalsOf(ofLength(31))).toEqual([`secret-too-short: ESCUREL_${name} must have at least 32 characters`]);
    expect(refusalsOf(ofLength(32))).toEqual([]);
  });

  test.each([`${TOKEN}\n`, ` ${TOKEN}`, `${TOKEN} ${TOKEN}`, `${TOKEN}\u0000`])(
    '[ST44] white space has no place in %j',
    token => {
      expect(refusalsOf(read({ ...DEV, CAIRN_DEV_MCP_TOKEN: token }))).toEqual([
        'setting-invalid: CAIRN_DEV_MCP_TOKEN must not hold white space',
      ]);
    },
  );

  test('[ST44] no two are equal', () => {
    expect(refusalsOf(read({ ...DEV, CAIRN_DEV_ADMIN_TOKEN: TOKEN, ESCUREL_WEBHOOK_SECRET: TOKEN }))).toEqual([
      'secrets-equal: CAIRN_DEV_MCP_TOKEN and CAIRN_DEV_ADMIN_TOKEN and ESCUREL_WEBHOOK_SECRET hold the same secret; each needs its own',
    ]);
    expect(codesOf({ ...OPEN, CAIRN_SESSION_SECRET: TOKEN, CAIRN_OPS_TOKEN: TOKEN })).toEqual(['secrets-equal']);
  });

  test('[ST44] a key for two services of somebody else may be one', () => {
    const key = 'one-key-for-both-places';
    expect(
      codesOf({ ...OPEN, CAIRN_STORAGE_S3_SECRET_ACCESS_KEY: key, CAIRN_DUCKLAKE_S3_SECRET_ACCESS_KEY: key }),
    ).toEqual([]);
  });
});

describe('settings that go together', () => {
  const S3 = {
    CAIRN_STORAGE_S3_BUCKET: 'b',
    CAIRN_STORAGE_S3_ENDPOINT: 'https://s3.example.org',
    CAIRN_STORAGE_S3_ACCESS_KEY_ID: 'id',
    CAIRN_STORAGE_S3_SECRET_ACCESS_KEY: 'key',
  };

  test('[ST46] an S3 backend needs bucket, endpoint and keys', () => {
    expect(refusalsOf(read({ ...OPEN, CAIRN_STORAGE_BACKEND: 's3' }))).toEqual([
      'setting-missing: CAIRN_STORAGE_S3_BUCKET is missing; storage.backend s3 needs it',
      'setting-missing: CAIRN_STORAGE_S3_ENDPOINT is missing; storage.backend s3 needs it',
      'secret-missing: CAIRN_STORAGE_S3_ACCESS_KEY_ID is missing; storage.backend s3 needs it',
      'secret-missing: CAIRN_STORAGE_S3_SECRET_ACCESS_KEY is missing; storage.backend s3 needs it',
    ]);
    expect(codesOf({ ...OPEN, ...S3, CAIRN_STORAGE_BACKEND: 's3' })).toEqual([]);
  });

  test.each([
    [{ CAIRN_STORAGE_BACKEND: 'gcs' }, { CAIRN_STORAGE_GCS_BUCKET: 'b' }],
    [{ CAIRN_STORAGE_BACKEND: 'duckvfs' }, { CAIRN_STORAGE_DUCKVFS_ROOT: '/mnt' }],
    [
      { CAIRN_STORAGE_BACKEND: 'duckvfs', CAIRN_STORAGE_DUCKVFS_ROOT: 'gdrive://x' },
      { CAIRN_STORAGE_DUCKVFS_DRIVE_ID: 'd' },
    ],
    [
      { CAIRN_INDEX_BACKEND: 'ducklake', CAIRN_DUCKLAKE_DATA_PATH: '/lake' },
      { CAIRN_DUCKLAKE_CATALOG_DSN: '/lake.sqlite' },
    ],
    [{ CAIRN_DUCKLAKE_DATA_PATH: 'gdrive://x' }, { CAIRN_DUCKLAKE_GDRIVE_DRIVE_ID: 'd' }],
  ])('[ST46] %j asks for %j', (choice, need) => {
    expect(codesOf({ ...OPEN, ...(choice as Record<string, string>) })).toEqual([
      expect.stringMatching(/^(setting|secret)-missing$/),
    ]);
    expect(codesOf({ ...OPEN, ...(choice as Record<string, string>), ...(need as Record<string, string>) })).toEqual(
      [],
    );
  });

  test.each(['gs://bucket', 's3://bucket'])('[ST46] a lake at %s asks for its keys', path => {
    expect(codesOf({ ...OPEN, CAIRN_DUCKLAKE_DATA_PATH: path })).toEqual(
      expect.arrayContaining(['secret-missing', 'secret-missing']),
    );
  });

  test('[ST46] a reader needs the lake', () => {
    expect(refusalsOf(read({ ...OPEN, ESCUREL_ROLE: 'reader' }))).toEqual([
      'reader-needs-ducklake: ESCUREL_ROLE is reader, which needs CAIRN_INDEX_BACKEND ducklake',
    ]);
    const lake = { CAIRN_INDEX_BACKEND: 'ducklake', CAIRN_DUCKLAKE_CATALOG_DSN: '/c', CAIRN_DUCKLAKE_DATA_PATH: '/d' };
    expect(codesOf({ ...OPEN, ...lake, ESCUREL_ROLE: 'reader' })).toEqual([]);
  });

  test('[ST47] the approval client is no audience of another channel', () => {
    const audience = 'CAIRN_AUTH_APPROVAL_CLIENT_ID is the audience of another channel as well; it needs its own';
    expect(refusalsOf(read({ ...OIDC, CAIRN_AUTH_APPROVAL_CLIENT_ID: 'escurel' }))).toEqual([
      `audiences-equal: ${audience}`,
    ]);
    const client = { ...OIDC, CAIRN_AUTH_APPROVAL_CLIENT_ID: 'people' };
    expect(started(read(client)).auth).toMatchObject({ oidc: { approvalClient: { id: 'people', secret: null } } });
    expect(started(read({ ...client, CAIRN_AUTH_APPROVAL_CLIENT_SECRET: 'hush' })).auth).toMatchObject({
      oidc: { approvalClient: { secret: 'hush' } },
    });
  });

  test.each(['CAIRN_', 'GROUNDNOTE_', 'ESCUREL_'])('[ST48] %sOPS_PORT is refused, even when it is empty', prefix => {
    for (const port of ['', '9000'])
      expect(codesOf({ ...OPEN, [`${prefix}OPS_PORT`]: port })).toEqual(['ops-port-removed']);
  });

  test.each(['', 'A', 'a b', 'a.b', 'ä', 'a'.repeat(65)].filter(Boolean))('[ST49] %j is no tenant', tenant => {
    expect(refusalsOf(read({ ...OPEN, ESCUREL_TENANT: tenant }))).toEqual([
      'setting-invalid: ESCUREL_TENANT must be 1 to 64 of a-z, 0-9, - and _',
    ]);
  });

  test.each(['a', '0', '_a-b_', 'a'.repeat(64)])('[ST49] %j is one', tenant => {
    expect(started(read({ ...OPEN, ESCUREL_TENANT: tenant })).server.tenant).toBe(tenant);
  });
});

describe('parts that are not built', () => {
  test.each([
    ['ESCUREL_WEBHOOK_URL', 'https://hooks.example.org', 'events'],
    ['ESCUREL_STORAGE_S3_PREFIX', 'notes/', 'object storage'],
    ['ESCUREL_INGEST_CONTEXTUALIZE', 'off', 'ingest'],
    ['ESCUREL_PACK_SECRET', 'signs', 'packs'],
    ['ESCUREL_SNAPSHOT_KEEP', '3', 'more than one gateway'],
    ['TYPESAFE_API_KEY', 'key', 'the reranking service of the rules'],
  ])('[ST18] %s gives exactly one warning', (name, value, part) => {
    const reading = read({ ...OPEN, [name]: value });
    expect([refusalsOf(reading), warningsOf(reading)]).toEqual([
      [],
      [`part-not-built: ${name} has no effect: ${part} is not part of this version`],
    ]);
  });

  test('[ST18] a bad value still refuses the start', () => {
    expect(refusalsOf(read({ ...OPEN, ESCUREL_RETRIEVAL_RERANK: 'best' }))).toEqual([
      'setting-invalid: ESCUREL_RETRIEVAL_RERANK must be one of off, bge, cohere, jina, voyage',
    ]);
  });

  test('[ST18] settings of built parts give none, nor do those of the client', () => {
    const env = {
      CAIRN_TENANT: 'a',
      ESCUREL_WRITE_ACL: 'enforce',
      CAIRN_TOKEN: 't',
      ESCUREL_SERVER: 'http://127.0.0.1:1',
    };
    expect(warningsOf(read({ ...OPEN, ...env, HTTPS_PROXY: 'http://proxy.example.org:3128' }))).toEqual([]);
  });

  test('[ST55] proxies are read by scheme, the one for all filling in', () => {
    const env = { all_proxy: 'https://far:1080', HTTPS_PROXY: 'near:3128', NO_PROXY: '.lan' };
    expect(started(read({ ...OPEN, ...env })).outgoing).toEqual({
      http: 'https://far:1080',
      https: 'http://near:3128',
      direct: '.lan',
    });
  });

  test.each(['ftp://far:21', 'http://', 'socks5://u:geheim@far:1080', 'http://u:geheim@', 'far 3128'])(
    '[ST55] %s is no proxy',
    value => {
      expect(refusalsOf(read({ ...OPEN, HTTPS_PROXY: value }))).toEqual([
        'setting-invalid: HTTPS_PROXY must be a URL (http, https) or host:port of a proxy',
      ]);
    },
  );
});
