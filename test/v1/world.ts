import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Rules } from '../../src/app/rules.ts';
import { startServer, type RunningServer } from '../../src/app/server.ts';
import { sha256 } from '../../src/kernel/hash.ts';
import { readSettings, type Settings } from '../../src/kernel/settings/index.ts';
import type { Right } from '../../src/rules/grants/schema.ts';
import { sqliteGrants } from '../../src/storage/sqlite/ops-file/grants.ts';
import { stocked, type World as RulesWorld } from '../rules/world.ts';
import { startIssuer } from '../support/issuer.ts';

export const PUBLIC_URL = 'https://rules.example.com';
const OPS_TOKEN = 'an-operator-token-of-more-than-32-characters';
/** The cookie of a person who is signed in on the approval pages, until the second `exp`. */
export function sessionCookie(identity: string, exp: number, secret = SESSION_SECRET): string {
  const claims = Buffer.from(JSON.stringify({ sub: identity, exp })).toString('base64url');
  return `__Host-gn_session=${claims}.${createHmac('sha256', secret).update(claims).digest('base64url')}`;
}
export const SESSION_SECRET = 'a-session-secret-of-more-than-32-characters';

/** Bearers of services with a grant. */
export const SERVICE = `gn_${'s'.repeat(43)}`;
export const OTHER_SERVICE = `gn_${'t'.repeat(43)}`;

/** Persons with a grant, by name; their address is `<name>@example.com`. */
const PERSONS: Readonly<Record<string, { readonly rights: readonly Right[]; readonly scopes: readonly string[] }>> = {
  anna: { rights: ['read', 'propose', 'decide'], scopes: ['sales', 'legal'] },
  reader: { rights: ['read'], scopes: ['sales', 'legal'] },
  proposer: { rights: ['propose'], scopes: ['sales', 'legal'] },
  decider: { rights: ['decide'], scopes: ['sales', 'legal'] },
  foreign: { rights: ['read', 'propose', 'decide'], scopes: ['legal'] },
  disabled: { rights: ['read', 'propose', 'decide'], scopes: ['sales', 'legal'] },
  unmade: { rights: ['read', 'propose'], scopes: ['sales', 'unmade'] },
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a server sends has no type yet
  readonly json: any;
}

export interface Ask {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

export interface Options {
  /** Fills the scope files before the server opens them. */
  readonly fill?: (rules: RulesWorld) => Promise<void>;
  readonly now?: () => Date;
  readonly requestsPerMinute?: number;
  /** Gets hold of the rules before anybody is served. */
  readonly prepareRules?: (rules: Rules) => Promise<void>;
  /** Changes the settings that were read. */
  readonly altered?: (settings: Settings) => Settings;
  /** Of pages. */
  readonly queriesPerMinute?: number;
}

export type World = Awaited<ReturnType<typeof world>>;

/**
 * A real server with rules in two scopes, and a third that is configured and was never made; a real issuer; grants for
 * PERSONS and two services.
 */
export async function world({
  fill,
  now,
  prepareRules,
  altered = same => same,
  requestsPerMinute = 100_000,
  queriesPerMinute = 100_000,
}: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-v1-'));
  const dataDir = join(folder, 'data');
  const issuer = await startIssuer();
  await prepare(dataDir, fill);
  const config = {
    instance: 'demo',
    zone: 'Europe/Berlin',
    public_url: PUBLIC_URL,
    scopes: ['sales', 'legal', 'unmade'].map(name => ({ name, providers_allowed: ['local'] })),
    search: {},
    limits: { requests_per_minute: requestsPerMinute },
    quotas: { queries_per_minute: queriesPerMinute },
    backup: { kind: 'copy', directory: join(folder, 'backup'), deadman_url: 'https://example.com/deadman' },
  };
  const variables = {
    CAIRN_AUTH_MODE: 'oidc',
    CAIRN_AUTH_OIDC_ISSUER: issuer.issuer,
    CAIRN_AUTH_JWKS_URI: issuer.jwksUri,
    CAIRN_AUTH_APPROVAL_CLIENT_ID: 'approval',
    CAIRN_DATA_DIR: dataDir,
    CAIRN_PORT: '0',
    CAIRN_SESSION_SECRET: SESSION_SECRET,
    CAIRN_OPS_TOKEN: OPS_TOKEN,
  };
  const reading = readSettings({
    env: variables,
    cwd: folder,
    readFile: path => (path.endsWith('cairn.json') ? JSON.stringify(config) : undefined),
  });
  if (!reading.ok) throw new Error(reading.refusals.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const server: RunningServer = await startServer({
    settings: altered(reading.settings),
    version: '1.2.3',
    log,
    ...(now ? { clock: now } : {}),
    ...(prepareRules ? { prepareRules } : {}),
  });

  /** A token of the issuer for a person; claims are laid over its own. */
  const tokenOf = (name: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    issuer.token(
      { sub: name, email: `${name}@example.com`, ...claims },
      { expiresInSecs: 365 * 86_400, ...(now ? { now: now() } : {}) },
    );

  async function ask(method: string, path: string, { token, headers = {}, body }: Ask = {}): Promise<Answer> {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  return {
    url: server.url,
    dataDir,
    issuer,
    logged,
    tokenOf,
    ask,
    /** A call of the operator, over the socket; a post where there is a body. */
    operator: (path: string, body?: object) => onSocket(join(dataDir, 'ops.sock'), path, body),
    /** One tools/call; the endpoint is `/mcp/rules` unless said. */
    tool: (token: string | undefined, name: string, args: unknown = {}, path = '/mcp/rules') =>
      ask('POST', path, { token, body: rpc('tools/call', { name, arguments: args }) }),
    async end() {
      await server.stop();
      await issuer.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const rpc = (method: string, params: unknown = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });

function onSocket(socketPath: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${OPS_TOKEN}`, 'content-type': 'application/json' };
    const call = request({ socketPath, path, method: body ? 'POST' : 'GET', headers }, answer => {
      let text = '';
      answer.on('data', chunk => (text += String(chunk)));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });
}

async function prepare(folder: string, fill: Options['fill']): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const rules = await stocked({ folder });
  const grants = sqliteGrants(rules.ops);
  for (const [name, { rights, scopes }] of Object.entries(PERSONS)) {
    const identity = `${name}@example.com`;
    const grant = await grants.add(
      { kind: 'person', auth: 'email', identity, scopes: [...scopes], rights: [...rights], label: null },
      rules.clock(),
    );
    if (name === 'disabled') await grants.disable(grant!.id, rules.clock());
  }
  for (const bearer of [SERVICE, OTHER_SERVICE]) {
    await grants.add(
      {
        kind: 'service',
        auth: 'bearer',
        identity: sha256(bearer),
        scopes: ['sales', 'legal'],
        rights: ['read', 'propose'],
        label: null,
      },
      rules.clock(),
    );
  }
  await fill?.(rules);
  rules.close();
}
