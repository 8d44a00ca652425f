import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeFolder, startIn, type Cairn } from './cairn.ts';
import { client, request, type Answer } from './client.ts';

export const TOKENS = {
  mcp: 'mcp-token-of-at-least-32-characters',
  api: 'api-token-of-at-least-32-characters',
  approval: 'approval-token-of-at-least-32-characters',
} as const;
export const ANNA = 'anna@example.org';
const SESSION_SECRET = 'session-secret-of-at-least-32-characters';
const OPS_TOKEN = 'operator-token-of-at-least-32-characters';

/** Mode dev-token with everything that rules need. */
export const RULES_ENV = {
  CAIRN_AUTH_MODE: 'dev-token',
  CAIRN_DEV_IDENTITY: ANNA,
  CAIRN_DEV_MCP_TOKEN: TOKENS.mcp,
  CAIRN_DEV_API_TOKEN: TOKENS.api,
  CAIRN_DEV_APPROVAL_TOKEN: TOKENS.approval,
  CAIRN_SESSION_SECRET: SESSION_SECRET,
  CAIRN_OPS_TOKEN: OPS_TOKEN,
} as const;

type Json = Readonly<Record<string, unknown>>;
export type Rules = Awaited<ReturnType<typeof startRules>>;

/** A configuration with two scopes and limits that no test meets by chance. */
export const rulesConfig = (origin: string, folder: string, over: Json = {}): Json => ({
  instance: 'works',
  zone: 'Europe/Berlin',
  public_url: origin,
  scopes: [
    { name: 'sales', providers_allowed: [] },
    { name: 'tech', providers_allowed: [] },
  ],
  search: {},
  backup: { kind: 'copy', directory: join(folder, 'backup'), deadman_url: 'https://example.org/deadman' },
  limits: { requests_per_minute: 100_000, decisions_per_minute: 100_000, login_attempts_per_minute: 100_000 },
  ...over,
});

interface RulesOptions {
  /** Laid over the configuration. */
  readonly config?: Json;
  /** Laid over the variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of a server that ran before; scopes and grants are there already. */
  readonly folder?: string;
  readonly origin?: string;
}

/** `cairn serve` with rules: both scopes made, and a grant for Anna with every right in them. */
export async function startRules({ config = {}, env = {}, folder, origin }: RulesOptions = {}) {
  const home = folder ?? makeFolder();
  const own = origin ?? `http://127.0.0.1:${await freePort()}`;
  if (!folder) mkdirSync(join(home, 'backup'), { mode: 0o700 });
  const text = JSON.stringify(rulesConfig(own, home, config));
  writeFileSync(join(home, 'cairn.json'), text);
  const cairn: Cairn = await startIn(home, { ...RULES_ENV, CAIRN_PORT: new URL(own).port, ...env });

  /** The operator over the socket. */
  const operator = (method: string, path: string, body?: object): Promise<Answer> =>
    onSocket(join(home, 'data', 'ops.sock'), method, path, body);
  /** A program; the bearer of `/v1` unless another one is given, null for none. */
  const v1 = (method: string, path: string, body?: unknown, token: string | null = TOKENS.api) =>
    request(own + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  /** A person at a browser, signed in by the cookie that the contract spells out (5.3). */
  const page = (method: string, path: string, over: RequestInit & { readonly as?: string } = {}) =>
    request(own + path, { method, ...over, headers: { cookie: cookieOf(over.as ?? ANNA), ...over.headers } });
  const decide = (id: string, body: object, over: { readonly as?: string; readonly headers?: Json } = {}) =>
    page('POST', `/v1/rules/${id}/decision`, {
      ...(over.as === undefined ? {} : { as: over.as }),
      headers: { origin: own, csrf: csrfOf(over.as ?? ANNA), 'content-type': 'application/json', ...over.headers },
      body: JSON.stringify(body),
    });
  const grant = (identity: string, scopes: readonly string[], rights: readonly string[]) =>
    operator('POST', '/ops/grants', { kind: 'person', auth: 'email', identity, scopes, rights });
  /** Stores a mail, proposes with a quote of it, and answers the id of the rule. */
  const proposed = async (n: number | string, over: Json = {}): Promise<string> => {
    await v1('POST', '/v1/sources', mail(n));
    const { json, status } = await v1('POST', '/v1/proposals', proposal(n, over));
    if (status !== 201) throw new Error(`proposing answered ${status} ${JSON.stringify(json)}`);
    return idOf(json.ref);
  };
  const confirmed = async (n: number | string, over: Json = {}): Promise<string> => {
    const id = await proposed(n, over);
    const { status, text: why } = await decide(id, { decision: 'confirm', version: 1 });
    if (status !== 200) throw new Error(`confirming answered ${status} ${why}`);
    return id;
  };

  if (!folder) {
    for (const name of ['sales', 'tech']) await operator('POST', '/ops/scopes', { name });
    await grant(ANNA, ['sales', 'tech'], ['read', 'propose', 'decide']);
  }
  const mcp = client(own, TOKENS.mcp, '/mcp/rules');
  return { ...cairn, origin: own, operator, v1, page, decide, grant, proposed, confirmed, mcp };
}

export const cookieOf = (identity: string, exp = Math.floor(Date.now() / 1000) + 3600): string => {
  const claims = Buffer.from(JSON.stringify({ sub: identity, exp })).toString('base64url');
  return `gn_session=${claims}.${createHmac('sha256', SESSION_SECRET).update(claims).digest('base64url')}`;
};
export const csrfOf = (identity: string): string =>
  createHmac('sha256', SESSION_SECRET).update(`csrf\0${identity}`).digest('base64url');
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const idOf = (ref: string): string => ref.replace(/^rule\//, '').replace(/@\d+$/, '');
/** Status and code of a refusal, in one word. */
export const refusal = ({ status, json }: Answer): string => `${status} ${String(json?.error)}`;

/** A mail with a sentence of its own. */
export const mail = (n: number | string, over: Json = {}, rest: Json = {}) => ({
  scope: 'sales',
  source: {
    kind: 'mail',
    id: `mail:<m${n}@example.org>`,
    title: `Mail ${n}`,
    occurred_at: '2026-03-12T09:00:00Z',
    sender: 'supplier@example.org',
    thread: null,
    link: null,
    ...over,
  },
  text: `Hello, please ask the supplier for the delivery time of lot ${n} before you order black hook rails. Thanks.`,
  attachments: [],
  ...rest,
});

export const meeting = (name: string, segments: readonly Json[], over: Json = {}) => ({
  scope: 'sales',
  source: {
    kind: 'jamie',
    id: `jamie:${name}`,
    title: 'Weekly',
    occurred_at: '2026-03-10T08:00:00Z',
    sender: null,
    link: 'https://meetings.example/1',
    ...over,
  },
  segments,
  attachments: [],
});

/** A proposal that quotes `mail(n)`. */
export const proposal = (n: number | string, over: Json = {}) => ({
  scope: 'sales',
  kind: 'rule',
  statement: `Ask the supplier for the delivery time of lot ${n} before ordering`,
  source: {
    kind: 'mail',
    id: `mail:<m${n}@example.org>`,
    quote: `ask the supplier for the delivery time of lot ${n}`,
    link: null,
  },
  said_at: '2026-03-12T09:00:00Z',
  speaker: null,
  relations: [],
  keywords: [],
  valid_from: '2026-03-12',
  supersedes: null,
  ...over,
});

function onSocket(socketPath: string, method: string, path: string, body?: object): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${OPS_TOKEN}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve, reject) => {
    const call = ask({ socketPath, path, method, headers, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: new Headers(), text, json: JSON.parse(text || 'null') });
      });
    });
    call.on('error', reject).end(body ? JSON.stringify(body) : undefined);
  });
}

/** A port that nobody listens on at this moment: the public address has to be known before the server starts. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
