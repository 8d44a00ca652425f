import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../src/app/free-port.ts';

export interface RunningServer {
  readonly address: string;
  /** Everything the process has printed so far, both streams. */
  readonly printed: () => string;
  /** Asks as a terminal's Ctrl-C does, then waits. The exit code, or the signal that ended it. */
  stop(): Promise<number | NodeJS.Signals>;
}

interface Start {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly dataDir: string;
}

/** Starts a server in a process group of its own. Ends it and throws when `/readyz` has not answered 200 in `limitMs`. */
export async function startServer(start: Start, limitMs = 120_000): Promise<RunningServer> {
  const port = await freePort('127.0.0.1', 0, false);
  const [command, ...args] = start.command;
  const child = spawn(command, args, {
    cwd: start.cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CAIRN_DATA_DIR: start.dataDir, CAIRN_PORT: String(port) },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (text += chunk));
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const signal = (name: NodeJS.Signals): boolean => {
    try {
      return process.kill(-child.pid!, name);
    } catch {
      return false;
    }
  };
  // The group is its own, so it would outlive a check that is told to stop.
  process.once('exit', () => signal('SIGKILL'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(1));
  const address = `http://127.0.0.1:${port}`;
  if (!(await answers(`${address}/readyz`, limitMs, () => child.exitCode !== null))) {
    signal('SIGKILL');
    throw new Error(`${start.command.join(' ')} was not ready in time; it printed:\n${text}`);
  }
  return {
    address,
    printed: () => text,
    stop: async () => {
      signal('SIGINT');
      const timer = setTimeout(() => signal('SIGKILL'), 20_000);
      const [code, by] = await ended;
      clearTimeout(timer);
      return code ?? by ?? 'SIGKILL';
    },
  };
}

async function answers(url: string, limitMs: number, gone: () => boolean): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && !gone()) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return true;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return false;
}
