import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startServer, type RunningServer } from '../src/app/server.ts';
import { readSettings } from '../src/kernel/settings/index.ts';
import { startIssuer, type TestIssuer } from './support/issuer.ts';

export interface Who {
  readonly sub: string;
  readonly groups?: readonly string[];
  readonly admin?: boolean;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- payloads are looked into by tests
export type Payload = any;

export interface Answer {
  readonly status: number;
  readonly payload?: Payload;
  readonly isError?: boolean;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly error?: RpcError;
}

export interface Caller {
  /** The whole answer of one tool call. */
  ask(tool: string, args?: object): Promise<Answer>;
  /** The payload; throws when the call ends in a JSON-RPC error. */
  call(tool: string, args?: object): Promise<Payload>;
  /** The JSON-RPC error; throws when there is none. */
  fails(tool: string, args?: object): Promise<RpcError>;
}

export interface World {
  readonly url: string;
  readonly dataDir: string;
  readonly issuer: TestIssuer;
  /** Everything the server logged, one object a line. */
  readonly logged: readonly Record<string, unknown>[];
  as(who: Who): Promise<Caller>;
  readonly admin: Caller;
  /** Writes pages as the admin; throws on a refusal. */
  put(pages: Readonly<Record<string, string>>): Promise<void>;
  settled(): Promise<void>;
  stop(): Promise<void>;
  /** Stops and starts again on the same folder, with other variables where given. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>;
  end(): Promise<void>;
}

/** Quotas that no test empties by the way; they have no variables. */
const CONFIG = JSON.stringify({ quotas: { queries_per_minute: 1_000_000, writes_per_minute: 1_000_000 } });
const configFile = (path: string): string | undefined => (path.endsWith('/cairn.json') ? CONFIG : undefined);

/**
 * A real server in a temporary folder with a real issuer; `env` adds variables, `now` stops its clock; without `watch` it looks at
 * files at start and when asked.
 */
export async function world(
  env: Readonly<Record<string, string>> = {},
  now?: () => Date,
  watch = true,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-world-'));
  const issuer = await startIssuer();
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  let variables = {
    CAIRN_AUTH_OIDC_ISSUER: issuer.issuer,
    CAIRN_AUTH_JWKS_URI: issuer.jwksUri,
    CAIRN_DATA_DIR: join(folder, 'data'),
    CAIRN_PORT: '0',
    ...env,
  };
  const start = async (): Promise<RunningServer> => {
    const reading = readSettings({ env: variables, cwd: folder, readFile: configFile });
    if (!reading.ok) throw new Error(reading.refusals.map(({ code, message }) => `${code}: ${message}`).join('\n'));
    return startServer({ settings: reading.settings, version: '0.0.0', log, watch, ...(now ? { clock: now } : {}) });
  };
  let server: RunningServer | undefined = await start();
  const url = (): string => server!.url;
  const faults = (): unknown => logged.filter(line => line['code'] === 'internal');
  const callerOf = async (who: Who): Promise<Caller> => caller(url, await tokenOf(issuer, who, now), faults);
  let admin = await callerOf({ sub: 'root', admin: true });

  async function put(pages: Readonly<Record<string, string>>): Promise<void> {
    for (const [page_id, content] of Object.entries(pages)) {
      const answer = await admin.call('update_page', { page_id, content });
      if (!answer.ok) throw new Error(`${page_id}: ${JSON.stringify(answer.issues)}`);
    }
  }
  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }
  return {
    get url() {
      return url();
    },
    get admin() {
      return admin;
    },
    dataDir: variables.CAIRN_DATA_DIR,
    issuer,
    logged,
    as: callerOf,
    put,
    settled: () => server!.settled(),
    stop,
    async restart(more = {}) {
      await stop();
      variables = { ...variables, ...more };
      server = await start();
      admin = await callerOf({ sub: 'root', admin: true });
    },
    async end() {
      await stop();
      await issuer.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tokenOf(issuer: TestIssuer, { sub, groups = [], admin = false }: Who, now?: () => Date): Promise<string> {
  const roles = admin ? [...groups, 'escurel:admin'] : groups;
  return issuer.token({ sub, roles }, { expiresInSecs: 365 * 86_400, ...(now ? { now: now() } : {}) });
}

/** Calls tools over HTTP with one bearer, or with none. */
export function caller(url: () => string, token: string | undefined, faults: () => unknown = () => []): Caller {
  async function ask(name: string, args: object = {}): Promise<Answer> {
    const answer = await fetch(`${url()}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    const body = (await answer.json()) as { result?: Record<string, unknown>; error?: RpcError };
    return {
      status: answer.status,
      ...(body.error && typeof body.error === 'object' ? { error: body.error } : {}),
      ...(body.result
        ? {
            payload: body.result['structuredContent'],
            isError: body.result['isError'] as boolean,
            meta: body.result['_meta'] as Record<string, unknown>,
          }
        : {}),
    };
  }
  return {
    ask,
    async call(tool, args) {
      const answer = await ask(tool, args);
      if (answer.payload === undefined) {
        const fault = answer.error?.code === -32603 ? JSON.stringify(faults()) : '';
        throw new Error(`${tool}: ${answer.status} ${JSON.stringify(answer.error)} ${fault}`);
      }
      return answer.payload;
    },
    async fails(tool, args) {
      const answer = await ask(tool, args);
      if (!answer.error) throw new Error(`${tool} was answered: ${JSON.stringify(answer.payload)}`);
      return answer.error;
    },
  };
}

/** A page as text: a header of the given keys and a body. */
export function page(header: Readonly<Record<string, unknown>>, body = ''): string {
  const lines = Object.entries(header).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

export const skillPage = (id: string, more: Readonly<Record<string, unknown>> = {}, body = `# ${id}\n`): string =>
  page({ type: 'skill', id, description: `${id} pages`, ...more }, body);

export const instancePage = (
  skill: string,
  id: string,
  more: Readonly<Record<string, unknown>> = {},
  body = '',
): string => page({ type: 'instance', skill, id, ...more }, body);
