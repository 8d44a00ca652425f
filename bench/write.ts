import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareInserts, fsyncMedian, type WriteFigures } from './lib/disk.ts';
import { pageWriters } from './lib/page-writers.ts';
import { samplePage } from './lib/sample-pages.ts';
import { figure, median, percentile, table } from './lib/stats.ts';

/**
 * Page commits a second, durable and searchable before the answer, with one and 32 writers, in an empty store and in one of
 * 100,000 pages, beside bare SQLite inserts of the same bytes. `--slow-fsync MS` makes every fsync at least that slow.
 */
const quick = process.argv.includes('--quick');
const slow = process.argv.indexOf('--slow-fsync');
if (slow > 0 && process.env['SLOW_FSYNC_MS'] === undefined) runSlowed(process.argv[slow + 1] ?? '5');

const COUNT = quick ? 200 : slow > 0 ? 1000 : 4000;
const FILL = quick || slow > 0 ? 2000 : 100_000;
const folder = mkdtempSync(join(tmpdir(), 'cairn-write-'));
try {
  const fsync = fsyncMedian(folder, quick ? 20 : 200);
  const bare = bareInserts(
    folder,
    Array.from({ length: COUNT }, (_, n) => samplePage(n).content),
  );
  const pages = await pageWriters(folder);
  // The first thousands run while the engine still compiles.
  await pages.run(1, 10_000_000, quick ? COUNT : 6000);
  const emptyOne = await pages.run(1, 20_000_000, COUNT);
  const emptyMany = await pages.run(32, 30_000_000, COUNT);
  const links = await timeLinks(pages.write);
  await pages.fill(FILL);
  const fullOne = await pages.run(1, 40_000_000, COUNT);
  const fullMany = await pages.run(32, 50_000_000, COUNT);
  await pages.close();

  process.stdout.write(`fsync p50 ${figure(fsync)} ms, ${COUNT} commits of 1 KB each\n\n`);
  process.stdout.write(
    `${table([
      ['', 'commits/s', 'CPU ms', 'p50 ms', 'p95 ms'],
      row('bare SQLite insert, FULL', bare),
      row('1 writer, empty store', emptyOne),
      row('32 writers, empty store', emptyMany),
      row(`1 writer, ${figure(FILL)} pages`, fullOne),
      row(`32 writers, ${figure(FILL)} pages`, fullMany),
    ])}\n\n`,
  );
  process.stdout.write(`1 writer / bare insert:       ${figure(rate(emptyOne) / rate(bare))}\n`);
  process.stdout.write(`32 writers / 1 writer:        ${figure(rate(emptyMany) / rate(emptyOne))}\n`);
  process.stdout.write(`1 writer, full / empty:       ${figure(rate(fullOne) / rate(emptyOne))}\n`);
  process.stdout.write(`32 writers, full / empty:     ${figure(rate(fullMany) / rate(emptyMany))}\n`);
  process.stdout.write(`page with 2,000 links:        ${figure(links)} ms\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rate(figures: WriteFigures): number {
  return figures.commits / figures.seconds;
}

function row(name: string, figures: WriteFigures): (string | number)[] {
  const cpu = (figures.cpuSeconds / figures.commits) * 1000;
  return [name, rate(figures), cpu, median(figures.latencies), percentile(figures.latencies, 0.95)];
}

async function timeLinks(write: (pageId: string, content: string) => Promise<void>): Promise<number> {
  const links = Array.from({ length: 2000 }, (_, n) => `- [[note::note-${n}#part-${n}]]`).join('\n');
  const content = `---\ntype: instance\nskill: note\nid: many\ntitle: many\n---\n\n${links}\n`;
  const started = performance.now();
  await write('markdown/instances/note/many.md', content);
  return performance.now() - started;
}

/** Runs this bench again under a library that slows fsync down. */
function runSlowed(ms: string): never {
  const library = join(tmpdir(), `slow-fsync-${process.pid}.so`);
  const source = fileURLToPath(new URL('./lib/slow-fsync.c', import.meta.url));
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the slow fsync library needs a C compiler');
  const again = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, SLOW_FSYNC_MS: ms, LD_PRELOAD: library },
  });
  rmSync(library, { force: true });
  process.exit(again.status ?? 1);
}
