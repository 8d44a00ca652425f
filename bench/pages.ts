import Database from 'better-sqlite3';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from './lib/child.ts';
import { historyGrowth } from './lib/history-growth.ts';
import { load, post } from './lib/http-load.ts';
import { callsFor, inProcess, sizeOf, type Call } from './lib/pages-calls.ts';
import { corpusPage, readable } from './lib/pages-corpus.ts';
import { rebuildFromMarkdown } from './lib/pages-rebuild.ts';
import { pagesStore } from './lib/pages-store.ts';
import { cpuSeconds, figure, median, percentile, table } from './lib/stats.ts';

/**
 * Reads of pages by one who may not read all of them, in process and over MCP on one connection, beside bare SQLite reading the
 * same rows; bulk loading; making state and index anew from markdown with the share of each step; what the past of a page takes.
 * `--million` adds a million pages. They, and with `--no-files` all, get no files and are asked in process only.
 */
const quick = process.argv.includes('--quick');
const noFiles = process.argv.includes('--no-files');
const sizes = quick ? [2000] : process.argv.includes('--million') ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
const ROUNDS = quick ? 100 : 1000;
const folder = mkdtempSync(join(tmpdir(), 'cairn-pages-'));
const write = (text: string): void => void process.stdout.write(`${text}\n`);
const BARE = 'bare SQLite read of one page';
/** By call, a pair for each size. */
const measured = new Map<string, { readonly p50: number; readonly cpu: number }[]>();

try {
  for (const count of sizes) await measure(count, join(folder, String(count)));
  if (sizes.length > 1) growthOfReads();
  await past();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(count: number, at: string): Promise<void> {
  mkdirSync(at);
  const files = !noFiles && count <= 100_000;
  const pages = await pagesStore(at, files);
  const { pagesPerSecond, cpuMsOfPage } = await pages.load(count);
  write(`## ${figure(count)} pages\n`);
  write(`bulk load: ${figure(pagesPerSecond)} pages/s, ${figure(cpuMsOfPage)} CPU ms a page`);
  await pages.storage.whenDrained();

  const run = inProcess(pages.deps);
  const bare = bareReads(join(pages.dataDir, 'state.sqlite'), count);
  measured.set(BARE, [...(measured.get(BARE) ?? []), { p50: bare, cpu: bare }]);
  const rows: (string | number)[][] = [];
  for (const call of callsFor(count)) {
    const size = sizeOf(await run(call, 1));
    if (size < call.atLeast) throw new Error(`${call.name} found ${size}, not ${call.atLeast}`);
    const { p50, p95, cpu, cpu95 } = await timed(n => run(call, n));
    measured.set(call.name, [...(measured.get(call.name) ?? []), { p50, cpu }]);
    rows.push([call.name, p50, p95, cpu, cpu95, p50 / bare]);
  }
  await pages.storage.close();
  write(`bare SQLite read of one page: p50 ${figure(bare)} ms\n`);
  write(`${table([['', 'p50 ms', 'p95 ms', 'CPU ms', 'CPU p95', 'p50 / bare'], ...rows])}\n`);
  if (files)
    write(`${table([['over MCP', 'p50 ms', 'p95 ms'], ...(await overMcp(pages.dataDir, callsFor(count)))])}\n`);
  rmSync(at, { recursive: true, force: true });
  if (count <= 10_000) await rebuilt(count);
}

async function timed(call: (n: number) => Promise<unknown>) {
  for (let n = 0; n < ROUNDS / 5; n++) await call(n);
  const [samples, cpus]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    const [started, cpu] = [performance.now(), cpuSeconds()];
    await call(1000 + n);
    samples.push(performance.now() - started);
    cpus.push((cpuSeconds() - cpu) * 1000);
  }
  return {
    p50: median(samples),
    p95: percentile(samples, 0.95),
    cpu: cpus.reduce((sum, one) => sum + one, 0) / ROUNDS,
    cpu95: percentile(cpus, 0.95),
  };
}

/** Milliseconds of reading the text of one page by its id and version, nothing else. */
function bareReads(path: string, count: number): number {
  const db = new Database(path, { readonly: true });
  const read = db.prepare<[string], { content: string }>(
    'SELECT content FROM page_version WHERE page_id = ? AND version = 1',
  );
  const samples = Array.from({ length: 2000 }, (_, n) => {
    const started = performance.now();
    if (!read.get(corpusPage(readable(n, count)).pageId)) throw new Error('a page is missing');
    return performance.now() - started;
  });
  db.close();
  return median(samples.slice(500));
}

async function overMcp(dataDir: string, calls: readonly Call[]): Promise<(string | number)[][]> {
  const server = await startServerProcess(new URL('./lib/folder-server.ts', import.meta.url), [dataDir]);
  const headers = { authorization: `Bearer ${String(server.hello['token'])}` };
  const rows: (string | number)[][] = [];
  for (const { name, tool, args } of calls) {
    const request = (n: number): string =>
      post(
        '/mcp',
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args(n) } }),
        headers,
      );
    await load({ port: server.port, connections: 1, seconds: quick ? 0.1 : 0.5, request });
    const { latencies, failures } = await load({
      port: server.port,
      connections: 1,
      seconds: quick ? 0.3 : 2,
      request,
    });
    if (failures > 0) throw new Error(`${tool} failed ${failures} times`);
    rows.push([name, median(latencies), percentile(latencies, 0.95)]);
  }
  await server.stop();
  return rows;
}

async function rebuilt(count: number): Promise<void> {
  const { clock, cpu, steps, fromVersions } = await rebuildFromMarkdown(join(folder, 'markdown'), count);
  const shares = steps.map(([name, ms]) => `${name} ${Math.round((ms / cpu) * 100)} %`);
  write(
    `rebuild from markdown, ${figure(count)} pages: ${figure(cpu)} CPU ms a page, ${figure(clock)} ms by the clock`,
  );
  write(`  ${shares.join(', ')}`);
  write(`  the index alone, from stored versions: ${figure(fromVersions)} CPU ms a page\n`);
}

/** From each size to the next: the median by the clock and the CPU time of a call. The growth of a bare read is beside them. */
function growthOfReads(): void {
  for (const [at, count] of sizes.entries()) {
    if (at === 0) continue;
    const rows = [...measured].map(([name, all]): (string | number)[] => {
      const [before, now] = [all[at - 1]!, all[at]!];
      return [name, now.p50 / before.p50, now.cpu / before.cpu];
    });
    write(`Growth from ${figure(sizes[at - 1]!)} to ${figure(count)} pages\n`);
    write(`${table([['', 'p50', 'CPU'], ...rows])}\n`);
  }
}

async function past(): Promise<void> {
  const versions = quick ? 40 : 300;
  const rows: (string | number)[][] = [['page', 'a change', 'stored a version', 'slowest read ms']];
  for (const kb of quick ? [1, 20] : [1, 10, 100, 1000]) {
    const at = join(folder, `past-${kb}`);
    mkdirSync(at);
    const grown = await historyGrowth(at, kb, kb > 500 ? 100 : versions);
    rows.push([`${kb} KB`, grown.changeBytes, grown.bytesOfVersion, grown.slowestRead]);
  }
  write(`Past of a page, bytes\n\n${table(rows)}`);
}
