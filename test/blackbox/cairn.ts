import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist/cli/main.js');
const COMMAND = isUpToDate(BUILT) ? [BUILT] : ['--import', import.meta.resolve('tsx'), join(ROOT, 'src/cli/main.ts')];

/** Whether the build is younger than every source; else the sources themselves are run, at twice the price. */
function isUpToDate(built: string): boolean {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  return sources.every(each => statSync(join(each.parentPath, each.name)).mtimeMs < mtimeMs);
}

type Env = Readonly<Record<string, string>>;
/** Path below the folder → text. */
type Files = Readonly<Record<string, string>>;

/** A line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** `cairn serve` as somebody runs it: a process of its own in an empty folder, reached over HTTP only. */
export interface Cairn {
  readonly origin: string;
  readonly folder: string;
  readonly pid: number;
  /** What was logged so far. */
  log(): readonly LogLine[];
  /** Waits until a logged line is as asked for. */
  logged(wanted: (line: LogLine) => boolean): Promise<LogLine>;
  /** Ends the process and resolves to its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** `end`, and the folder is gone. */
  stop(): Promise<void>;
}

/** An empty folder with these files in it. */
export function makeFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-blackbox-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Starts the server with these variables and nothing else, on a free port unless they name one. */
export async function startCairn(env: Env = OPEN, files: Files = {}): Promise<Cairn> {
  return startIn(makeFolder(files), env);
}

/** The same in a folder that is there already. */
export async function startIn(folder: string, env: Env = OPEN): Promise<Cairn> {
  const child = spawn(process.execPath, [...COMMAND, 'serve'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...port(env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let errors = '';
  let ended = false;
  const wake = (): void => waiting.forEach(look => look());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map(line => JSON.parse(line) as LogLine));
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exit = new Promise<number | null>(resolve =>
    child.once('close', code => {
      ended = true;
      wake();
      resolve(code);
    }),
  );

  const logged = (wanted: (line: LogLine) => boolean): Promise<LogLine> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = lines.find(wanted);
        if (!line && !ended) return;
        waiting.delete(look);
        if (line) resolve(line);
        else reject(new Error(`the server ended without logging it: ${errors}`));
      };
      waiting.add(look);
      look();
    });
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return exit;
  };

  const listening = await logged(line => String(line['msg']).startsWith('the server listening http='));
  return {
    origin: `http://${String(listening['msg']).split('http=')[1]}`,
    folder,
    pid: child.pid ?? 0,
    log: () => lines,
    logged,
    end,
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A start that is expected to be refused, run to its end in a folder with these files. */
export function refusedStart(env: Env, files: Files = {}): { code: number | null; stdout: string; stderr: string } {
  return command(['serve'], { ...port(env), ...env }, files);
}

/** Any command, run to its end (10 seconds at most). */
export function command(words: readonly string[], env: Env, files: Files = {}) {
  const folder = makeFolder(files);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMAND, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
    timeout: 10_000,
  });
  rmSync(folder, { recursive: true, force: true });
  return { code: status, stdout, stderr };
}

export const OPEN: Env = { CAIRN_AUTH_MODE: 'open' };

/** An agent and an admin, both of one subject without groups. */
export const DEV = {
  CAIRN_AUTH_MODE: 'dev-token',
  CAIRN_DEV_IDENTITY: 'dev@example.org',
  CAIRN_DEV_MCP_TOKEN: 'agent-token-of-at-least-32-characters',
  CAIRN_DEV_ADMIN_TOKEN: 'admin-token-of-at-least-32-characters',
} as const;

/** Room for many calls a minute, for tests that are not about quotas. */
export const ROOMY: Files = {
  'cairn.json': JSON.stringify({ quotas: { queries_per_minute: 1_000_000, writes_per_minute: 1_000_000 } }),
};

const port = (env: Env): Env =>
  Object.keys(env).some(name => /_(PORT|LISTEN_HTTP)$/.test(name)) ? {} : { CAIRN_PORT: '0' };
