import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FilesFigures, FilesTask } from './lib/files-process.ts';
import { figure, median, percentile, table } from './lib/stats.ts';

/**
 * Files that people edit beside a running server: how long from a save to a search that finds it, how fast a checkout of many
 * files is taken in, and what the watch costs at start, in memory and for writers, beside a watch of every file by Node itself.
 */
const quick = process.argv.includes('--quick');
const PAGES = quick ? 1000 : 100_000;
const SAVES = quick ? 5 : 40;
const FILES = quick ? 100 : 1000;
const COMMITS = quick ? 200 : 3000;

const folder = mkdtempSync(join(tmpdir(), 'cairn-files-'));
const dataDir = join(folder, 'data');
const script = fileURLToPath(new URL('./lib/files-process.ts', import.meta.url));

function run(task: FilesTask): FilesFigures {
  const args = ['--expose-gc', '--import', 'tsx', script, dataDir, JSON.stringify(task)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${task.kind} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as FilesFigures;
}

const value = (figures: FilesFigures, name: string): number => figures[name]?.[0] ?? Number.NaN;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  run({ kind: 'fill', pages: PAGES });
  // The first start after the filling reads what is cold.
  run({ kind: 'start', watch: false });
  const plain = run({ kind: 'start', watch: false });
  const watched = run({ kind: 'start', watch: true });
  const every = run({ kind: 'recursive' });
  print(`${figure(PAGES)} pages\n`);
  const starts = [
    ['', 'open ms', 'ready to see edits, s', 'CPU s', 'MiB'],
    ...(
      [
        ['store without a watch', plain],
        ['store that watches its folders', watched],
        ['no store, every file watched by Node', every],
      ] as const
    ).map(([name, figures]) => [
      name,
      value(figures, 'opened'),
      value(figures, 'looked') / 1000,
      value(figures, 'cpu'),
      value(figures, 'memory'),
    ]),
  ];
  print(`${table(starts)}\n`);

  const saves = run({ kind: 'save', saves: SAVES })['took'] ?? [];
  print(`save to search, ${SAVES} saves:  p50 ${figure(median(saves))} ms, p95 ${figure(percentile(saves, 0.95))} ms`);
  const checkout = run({ kind: 'checkout', files: FILES });
  const seconds = value(checkout, 'took') / 1000;
  print(
    `${figure(FILES)} files at once:      all found after ${figure(seconds)} s, ${figure(value(checkout, 'cpu'))} CPU s`,
  );
  const [without, with_] = [false, true].map(watch => run({ kind: 'write', watch, commits: COMMITS }));
  print(
    `32 writers, no watch:   ${figure(value(without!, 'rate'))} commits/s, ${figure(value(without!, 'cpu'))} CPU ms each`,
  );
  print(
    `32 writers, watched:    ${figure(value(with_!, 'rate'))} commits/s, ${figure(value(with_!, 'cpu'))} CPU ms each`,
  );
  print(`CPU watched / not:      ${figure(value(with_!, 'cpu') / value(without!, 'cpu'))}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
