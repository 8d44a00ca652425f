import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startServer } from '../../src/app/server.ts';
import { readSettings } from '../../src/kernel/settings/index.ts';
import { ask as askSocket } from '../ops-socket/world.ts';
import { mail, proposal } from '../rules/world.ts';

/** Header lines in the order in which they are sent; a name may stand twice. */
export type Lines = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly lines?: Lines;
  readonly body?: string;
}

export const SECRETS = {
  mcp: 'mcp-token-of-at-least-32-characters-x',
  admin: 'admin-token-of-at-least-32-characters',
  api: 'api-token-of-at-least-32-characters-x',
  approval: 'approval-token-of-at-least-32-chars-x',
  session: 'session-secret-of-at-least-32-chars-x',
  ops: 'operator-token-of-at-least-32-chars-x',
} as const;

export interface Options {
  readonly env: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly fetch?: typeof globalThis.fetch;
}

export type World = Awaited<ReturnType<typeof world>>;

/** A real server with rules in scope `sales`, in the mode that `env` says; one proposal waits once `fill` was called. */
export async function world({ env, config = {}, fetch }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-who-'));
  const dataDir = join(folder, 'data');
  const publicUrl = String(config['public_url'] ?? 'http://localhost:8080');
  const file = {
    instance: 'demo',
    zone: 'Europe/Berlin',
    public_url: publicUrl,
    scopes: [{ name: 'sales', providers_allowed: ['local'] }],
    search: {},
    limits: { requests_per_minute: 100_000, decisions_per_minute: 100_000, login_attempts_per_minute: 100_000 },
    backup: { kind: 'copy', directory: join(folder, 'copies'), deadman_url: 'https://ping.example.org' },
    ...config,
  };
  const reading = readSettings({
    env: { CAIRN_DATA_DIR: dataDir, CAIRN_PORT: '0', ...env },
    cwd: folder,
    readFile: path => (path.endsWith('/cairn.json') ? JSON.stringify(file) : undefined),
  });
  if (!reading.ok) throw new Error(reading.refusals.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const server = await startServer({
    settings: reading.settings,
    version: '0.0.0',
    log,
    ...(fetch ? { fetch } : {}),
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= server.stop());
  const { port } = new URL(server.url);
  const socket = join(dataDir, 'ops.sock');

  /** One request with exactly these headers. */
  const send = ({ method = 'GET', path, lines = [], body }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const raw = ['host', `localhost:${port}`, ...lines.flat()];
      if (body !== undefined) raw.push('content-length', String(Buffer.byteLength(body)));
      const sent = request({ host: '127.0.0.1', port, method, path, headers: raw, agent: false }, answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const operator = (line: string, body?: unknown, authorization = `Bearer ${SECRETS.ops}`) =>
    askSocket(socket, line, body, { headers: { authorization } });

  return {
    publicUrl,
    socket,
    /** Under what name a call of a tool was logged. */
    subjectOf: (requestId: string): string | undefined =>
      logged.find(line => line['request_id'] === requestId && line['msg'] === 'tool.completed')?.['subject'] as string,
    send,
    operator,
    /** Makes the scope and a grant; the bearer of a service that has one. */
    async grant(about: Readonly<Record<string, unknown>>): Promise<{ id: string; bearer: string }> {
      await operator('POST /ops/scopes', { name: 'sales' });
      const { status, body } = await operator('POST /ops/grants', { scopes: ['sales'], ...about });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return { id: body.grant.id as string, bearer: body.bearer as string };
    },
    /** Stores a mail and proposes a rule out of it; its id. */
    async propose(lines: Lines): Promise<string> {
      const post = async (path: string, body: object): Promise<{ ref: string }> => {
        const json = [['content-type', 'application/json'], ...lines] as const;
        const { status, text } = await send({ method: 'POST', path, lines: json, body: JSON.stringify(body) });
        if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
        return JSON.parse(text) as { ref: string };
      };
      await post('/v1/sources', mail());
      const { ref } = await post('/v1/proposals', proposal());
      return ref.slice('rule/'.length, -'@1'.length);
    },
    stop,
    async end(): Promise<void> {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
