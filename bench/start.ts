import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/app/free-port.ts';
import { pagesStore } from './lib/pages-store.ts';
import { figure, median, percentile, table } from './lib/stats.ts';

/**
 * From the start of a process until `/readyz` answers: `cairn dev` on its demo pages and rules, `cairn serve` on a large store,
 * each after its first run, beside a Node process that answers the same request and does nothing else.
 */
const quick = process.argv.includes('--quick');
const PAGES = quick ? 500 : 100_000;
const STARTS = quick ? 3 : 15;
const LIMIT_MS = 60_000;
/** Ticks of `/proc` a second; the same on every Linux that Node runs on. */
const TICKS = 100;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cairn-starts-'));
const MAIN = join(root, 'dist/cli/main.js');
const BARE = `require('node:http').createServer((_, answer) => answer.end('OK')).listen(process.env.CAIRN_PORT, '127.0.0.1')`;

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

/** CPU milliseconds of a process so far; not a number where the system does not tell. */
function cpuMsOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
  } catch {
    return Number.NaN;
  }
}

async function start(args: readonly string[], dataDir: string): Promise<Start> {
  const port = await freePort('127.0.0.1', 0, false);
  const env = { ...process.env, CAIRN_AUTH_MODE: 'open', CAIRN_DATA_DIR: dataDir, CAIRN_PORT: String(port) };
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return { ms: performance.now() - began, cpuMs: cpuMsOf(child) };
      if (child.exitCode !== null || performance.now() - began > LIMIT_MS)
        throw new Error(`${args.join(' ')}: not ready`);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

async function measured(name: string, args: readonly string[], dataDir: string): Promise<(string | number)[]> {
  await start(args, dataDir);
  const starts: Start[] = [];
  for (let n = 0; n < STARTS; n++) starts.push(await start(args, dataDir));
  const times = starts.map(({ ms }) => ms);
  return [name, median(times), percentile(times, 0.95), median(starts.map(({ cpuMs }) => cpuMs))];
}

try {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const large = join(folder, 'large');
  const pages = await pagesStore(large);
  await pages.load(PAGES);
  await pages.storage.whenDrained();
  await pages.storage.close();
  const rows = [
    await measured('bare node:http', ['-e', BARE], folder),
    await measured('cairn dev, demo pages and rules', [MAIN, 'dev'], join(folder, 'demo')),
    await measured(`cairn serve, ${figure(PAGES)} pages`, [MAIN, 'serve'], join(large, 'data')),
  ];
  const bare = Number(rows[0]![1]);
  const ratios = rows.map(row => [...row, Number(row[1]) / bare]);
  process.stdout.write(`${table([[`${STARTS} starts`, 'p50 ms', 'p95 ms', 'CPU ms', 'p50 / bare'], ...ratios])}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
