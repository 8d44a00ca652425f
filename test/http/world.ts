import { Writable } from 'node:stream';
import type { TenantSettings, Verifier } from '../../src/auth/ports.ts';
import { callRecorder, createMetrics, startHttp, type HttpOptions, type RunningHttp } from '../../src/http/index.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { ulids } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { Principal } from '../../src/kernel/principal.ts';
import { testOps, type Seen } from './ops.ts';

export const AGENT = 'agent-token';
export const ADMIN = 'admin-token';
export const STRANGER = 'other-tenant-token';

const person = { tenant: 'acme', groups: [], metered: true } as const;
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  [AGENT]: { ...person, subject: 'ada', admin: false },
  [ADMIN]: { ...person, subject: 'grace', admin: true },
};

/** Knows three fixed tokens, one of them of another tenant. */
const tokenVerifier: Verifier = {
  async verify(authorization) {
    if (authorization === undefined) throw new Failure('unauthorized', 'no bearer token');
    const token = /^[Bb]earer (.+)$/.exec(authorization)?.[1] ?? '';
    if (token === STRANGER) throw new Failure('forbidden', 'the token is for another tenant');
    const principal = PRINCIPALS[token];
    if (!principal) throw new Failure('unauthorized', 'token rejected: unknown');
    return principal;
  },
};

/** A rules surface that lets everybody in and has no routes. */
export const rulesForAll: NonNullable<HttpOptions['rules']> = {
  access: {
    refusal: async () => undefined,
    enter: async () => {
      throw new Failure('not-found', 'no such route');
    },
    api: [],
  },
  verifier: { verify: async () => ({ auth: 'email', identity: 'ada@example.com' }) },
  tenant: 'acme',
  instructions: 'Ask before you act.',
};

export const openVerifier: Verifier = {
  async verify() {
    return { tenant: 'default', subject: 'anonymous', groups: [], admin: true, metered: false };
  },
};

/** A running server with test ops and everything it was told, through real sockets. */
export interface World extends RunningHttp {
  readonly url: string;
  readonly seen: Seen;
  readonly logs: Record<string, unknown>[];
  /** Tokens left in each bucket. */
  readonly left: { queries: number; writes: number };
  readonly tenant: { status: TenantSettings['status'] };
  /** Lets calls of `wait` answer. */
  release(): void;
  post(body: unknown, headers?: Record<string, string>, path?: string): Promise<Answer>;
  /** One tools/call of the agent. */
  call(name: unknown, args?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a server sends has no type yet
  readonly json: any;
}

export async function world(overrides: Partial<HttpOptions> = {}): Promise<World> {
  let release!: () => void;
  const seen: Seen = { inputs: [], aborted: 0, gate: new Promise(resolve => (release = resolve)) };
  const logs: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean))
        logs.push(JSON.parse(line) as Record<string, unknown>);
      done();
    },
  });
  const left = { queries: 1e6, writes: 1e6 };
  const tenant: World['tenant'] = { status: 'active' };
  const metrics = createMetrics();
  const log = createLog({ level: 'debug', env: 'test', version: '1.2.3' }, sink);
  const http = await startHttp({
    listen: { host: '127.0.0.1', port: 0 },
    ops: testOps(seen),
    verifier: tokenVerifier,
    tenants: { suspended: () => tenant.status === 'suspended' },
    quotas: {
      debit: (_tenant, dimension) => (--left[dimension] >= 0 ? { ok: true } : { ok: false, retryAfterMs: 99.2 }),
    },
    probes: { lane_store: () => true, indexer: () => true, embedder: () => true, index_snapshot: () => true },
    metrics,
    record: callRecorder({ metrics, log }),
    log,
    now: () => new Date('2026-01-01T00:00:00Z'),
    nextId: ulids(() => new Date()),
    version: '1.2.3',
    buildVersion: '0.0.0-dev',
    ...overrides,
  });
  const url = `http://127.0.0.1:${http.address.port}`;
  const post: World['post'] = async (body, headers = {}, path = '/mcp') =>
    answerOf(
      await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${AGENT}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    );
  return {
    ...http,
    url,
    seen,
    logs,
    left,
    tenant,
    release,
    post,
    call: (name, args, headers) => post(rpc('tools/call', { name, arguments: args }), headers),
  };
}

export const rpc = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** `_meta`, headers and all of one request in the revision without a handshake. */
export const stateless = (method: string, params: Record<string, unknown> = {}, id: unknown = 1) => ({
  body: {
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  headers: {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  },
});

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
