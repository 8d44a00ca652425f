import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startOperator, type RunningOperator } from '../../src/app/operator.ts';
import type { RulesSettings } from '../../src/kernel/settings/index.ts';
import { sqliteGrants } from '../../src/storage/sqlite/ops-file/grants.ts';
import { openOpsFile } from '../../src/storage/sqlite/ops-file/open.ts';
import { scopeMemory } from '../../src/storage/sqlite/ops-file/scope-memory.ts';
import { scopeFiles } from '../../src/storage/sqlite/scopes/files.ts';

export const TOKEN = 'hush-hush-token-of-at-least-32-characters';

const RULES: RulesSettings = {
  instance: 'demo',
  zone: 'Europe/Berlin',
  publicUrl: 'https://notes.example.org',
  scopes: ['sales', 'legal'],
  search: {
    languages: ['de', 'en'],
    minCoverage: 0,
    synonyms: [],
    lexical: null,
    semantic: null,
    reranker: null,
    providers: {},
  },
  limits: {
    requestsPerMinute: 60,
    decisionsPerMinute: 60,
    loginAttemptsPerMinute: 5,
    exportsPerHour: 6,
    trustedProxy: false,
  },
  recheckAfterDays: 180,
  backup: { kind: 'copy', directory: '/backup', exportDirectory: null },
  sessionSecret: 'session-secret-of-at-least-32-characters',
  opsToken: TOKEN,
};

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into by tests
type Loose = any;

export interface Answer {
  readonly status: number;
  readonly body: Loose;
  readonly requestId: string | undefined;
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is, instead of JSON. */
  readonly raw?: string;
}

export const bearer = { authorization: `Bearer ${TOKEN}` };

/** One request over a socket. */
export function ask(
  path: string,
  line: string,
  body?: unknown,
  { headers = bearer, raw }: Asking = {},
): Promise<Answer> {
  const [method, url] = line.split(' ') as [string, string];
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = text === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent: false, socketPath: path, path: url, method, headers: { ...type, ...headers } as never },
      answer => {
        let received = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            body: JSON.parse(received) as Loose,
            requestId: answer.headers['x-request-id'] as string | undefined,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** An operator's socket over real files in a temporary folder, with a clock that stands still. */
export async function world(over: { readonly folder?: string } = {}) {
  const folder = over.folder ?? mkdtempSync(join(tmpdir(), 'cairn-ops-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700, recursive: true });
  const clock = (): Date => new Date('2026-03-12T10:00:00.000Z');
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const ops = openOpsFile(join(dataDir, 'ops.sqlite'), { clock });
  const memory = scopeMemory(ops);
  const files = scopeFiles({
    folder: join(dataDir, 'scopes'),
    configured: RULES.scopes,
    memory,
    clock,
    report: () => undefined,
  });
  const grants = sqliteGrants(ops);
  const start = (): Promise<RunningOperator> =>
    startOperator({ rules: RULES, tenant: 'acme', dataDir, version: '1.2.3', grants, files, memory, clock, log });
  let running: RunningOperator | undefined = await start();
  const socket = join(dataDir, 'ops.sock');
  return {
    folder,
    dataDir,
    socket,
    lines,
    grants,
    files,
    ops,
    memory,
    ask: (line: string, body?: unknown, asking?: Asking) => ask(socket, line, body, asking),
    start,
    async stop(): Promise<void> {
      await running?.stop();
      running = undefined;
    },
    async end(): Promise<void> {
      await running?.stop();
      files.close();
      ops.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type World = Awaited<ReturnType<typeof world>>;

export const PERSON = {
  kind: 'person',
  auth: 'email',
  identity: 'Ann@Example.org',
  scopes: ['sales'],
  rights: ['decide', 'read'],
  label: 'Ann',
} as const;
export const SERVICE = { kind: 'service', auth: 'bearer', scopes: ['sales', 'legal'], rights: ['propose'] } as const;
