import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { exactSearch, Index, MetricKind } from 'usearch';
import { project } from '../src/pages/index.ts';
import type { LaneFilter } from '../src/search/ports.ts';
import { fixedVector } from '../src/search/vectors/index.ts';
import type { Embedder } from '../src/search/vectors/ports.ts';
import { fileLanes } from '../src/storage/lanes/index.ts';
import { hashEmbedder } from '../src/storage/models/hash.ts';
import { localEmbedder } from '../src/storage/models/local/local.ts';
import { openStorage, type Storage } from '../src/storage/sqlite/index.ts';
import { matrix, type Matrix } from '../src/storage/sqlite/vectors/matrix.ts';
import { cpuSeconds, figure, percentile, table } from './lib/stats.ts';
import { scanThreads } from '../src/storage/sqlite/vectors/scan-threads.ts';
import { nearTo, seeded, topicVectors } from './lib/vector-corpus.ts';

/**
 * Vectors compared: this lane beside usearch, exact and approximate, over the same vectors; the lane over a real index, under
 * filters; and how many texts a CPU second embeds. `--quick`: smaller, without the models.
 */
const quick = process.argv.includes('--quick');
const VECTORS = quick ? 10_000 : 100_000;
const DIM = 384;
const LIMIT = 10;
const QUESTIONS = quick ? 50 : 300;
const MODELS = join(import.meta.dirname, '../../shared/assets/models');

const random = seeded(7);
const ms = (value: number): string => value.toFixed(2);

interface Timed {
  readonly p50: number;
  readonly p95: number;
  readonly perCpuSecond: number;
}

async function timed(run: (at: number) => unknown): Promise<Timed> {
  for (let at = 0; at < 10; at++) await run(at);
  const times: number[] = [];
  const cpu = cpuSeconds();
  for (let at = 0; at < QUESTIONS; at++) {
    const from = performance.now();
    await run(at);
    times.push(performance.now() - from);
  }
  const spent = cpuSeconds() - cpu;
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), perCpuSecond: QUESTIONS / spent };
}

const row = (name: string, { p50, p95, perCpuSecond }: Timed, recall: string): string[] => [
  name,
  ms(p50),
  ms(p95),
  figure(perCpuSecond),
  recall,
];

function fill(vectors: readonly Float32Array[]): Matrix {
  const kept = matrix(DIM);
  for (const [at, vector] of vectors.entries()) kept.add(at + 1, 0, fixedVector(vector));
  return kept;
}

async function compare(): Promise<void> {
  const vectors = topicVectors(VECTORS, DIM, random);
  const questions = Array.from({ length: QUESTIONS }, () => nearTo(vectors[Math.floor(random() * VECTORS)]!, random));
  const flat = new Float32Array(VECTORS * DIM);
  for (const [at, vector] of vectors.entries()) flat.set(vector, at * DIM);
  const kept = fill(vectors);
  const truth = (question: Float32Array): Set<number> =>
    new Set(Array.from(exactSearch(flat, question, DIM, LIMIT, MetricKind.IP, 1).keys, Number));
  const truths = questions.map(truth);
  const recall = (found: (at: number) => readonly number[]): string => {
    const right = truths.map((one, at) => found(at).filter(key => one.has(key)).length);
    return (right.reduce((sum, one) => sum + one, 0) / (QUESTIONS * LIMIT)).toFixed(4);
  };
  const pages = (passes: (at: number) => boolean): Uint8Array => {
    const mask = new Uint8Array(VECTORS + 1);
    for (let at = 0; at < VECTORS; at++) if (passes(at)) mask[at + 1] = 1;
    return mask;
  };
  const all = pages(() => true);
  const luck = Float64Array.from({ length: VECTORS }, random);
  const mine = (mask: Uint8Array) => (at: number) =>
    kept.nearest({ query: questions[at % QUESTIONS]!, pages: mask, limit: LIMIT });
  const whole = await timed(mine(all));
  const exact = await timed(at => exactSearch(flat, questions[at % QUESTIONS]!, DIM, LIMIT, MetricKind.IP, 1));
  const rows = [
    row(
      'this lane, all',
      whole,
      recall(at => mine(all)(at).map(({ page }) => page - 1)),
    ),
    row('usearch, exact, f32, 1 thread', exact, '1'),
  ];
  for (const [name, passes] of [
    ...([0.001, 0.01, 0.1, 0.2, 0.5, 0.9] as const).map(
      share => [`${share * 100} %`, (at: number) => luck[at]! < share] as const,
    ),
    ['every second one', (at: number) => at % 2 === 0],
    ['all but the nearest', (at: number) => !truths.some(one => one.has(at))],
  ] as const) {
    rows.push(row(`this lane, ${name}`, await timed(mine(pages(passes))), 'exact'));
  }
  const threads = scanThreads({ log: pino({ level: 'silent' }) });
  threads.ready();
  await threads.settled();
  const elsewhere = (at: number) =>
    kept.nearestElsewhere(
      { query: questions[at % QUESTIONS]!, pages: all, limit: LIMIT },
      (some, asked) => threads.scan(some, asked),
      () => undefined,
    );
  rows.push(row('this lane, all, in a thread', await timed(elsewhere), 'exact'));
  const held = [await loopMs(mine(all)), await loopMs(elsewhere)];
  await threads.stop();
  if (!quick) rows.push(await approximate(vectors, questions, recall));
  console.log(`\nTop ${LIMIT} of ${VECTORS} vectors of ${DIM} numbers\n`);
  console.log(table([['', 'p50 ms', 'p95 ms', 'searches/CPU s', 'recall'], ...rows]));
  console.log(`\nthe exact scan takes ${(whole.p50 / exact.p50).toFixed(2)} of usearch's exact search`);
  console.log(
    `a question holds the event loop for ${ms(held[0]!)} ms, and for ${ms(held[1]!)} ms where a thread looks`,
  );
}

/** For how long the event loop is at work for one question. */
async function loopMs(run: (at: number) => unknown): Promise<number> {
  const before = performance.eventLoopUtilization();
  for (let at = 0; at < QUESTIONS; at++) {
    await run(at);
    await turn();
  }
  return performance.eventLoopUtilization(before).active / QUESTIONS;
}

/** usearch's graph, which this lane does not need: building it costs as much as thousands of exact scans. */
async function approximate(
  vectors: readonly Float32Array[],
  questions: readonly Float32Array[],
  recall: (found: (at: number) => readonly number[]) => string,
): Promise<string[]> {
  const index = new Index({
    metric: MetricKind.IP,
    dimensions: DIM,
    quantization: 'f16' as never,
    connectivity: 16,
    expansion_add: 128,
    expansion_search: 64,
    multi: false,
  });
  const from = performance.now();
  for (const [at, vector] of vectors.entries()) index.add(BigInt(at), vector);
  const built = (performance.now() - from) / 1000;
  const near = (at: number): number[] => Array.from(index.search(questions[at % QUESTIONS]!, LIMIT, 1).keys, Number);
  return row(`usearch, HNSW f16 (built in ${built.toFixed(0)} s)`, await timed(near), recall(near));
}

const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

/** The lane over a real index: what is measured holds the filter, SQL's word on each hit, and reading the hits. */
async function lane(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const storage = await openStorage({
    dataDir: join(folder, 'data'),
    project,
    lanes: fileLanes,
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
    vectors: { open: async () => hashEmbedder() },
  });
  try {
    const count = VECTORS / 5;
    await write(storage, count);
    const from = performance.now();
    const cpu = cpuSeconds();
    await storage.vectors.configure('hash');
    await storage.vectors.whenSettled();
    const total = storage.vectors.lane.state().total;
    console.log(
      `\n${total} blocks of ${count} pages embedded by hash in ${((performance.now() - from) / 1000).toFixed(1)} s, ` +
        `${figure(total / (cpuSeconds() - cpu))} a CPU second, stored and in memory\n`,
    );
    const questions = await Promise.all(
      Array.from({ length: QUESTIONS }, (_, at) => storage.vectors.lane.question(`pump ${at} seal ${at * 7}`)),
    );
    const one = (await storage.index.accessClasses()).find(({ pageType }) => pageType === 'instance');
    const rows: string[][] = [];
    const first: string[] = [];
    for (const [name, filter] of [
      ['everything', {}],
      ['one access class', { scope: { all: false, allowed: [one!.id], owned: [], ownerKeys: [] } }],
      ['a skill of 1 %', { skill: 'rare' }],
      ['header clause, half of all', { clauses: [{ key: 'rank', operator: '<', value: 50 }] }],
      ['header clause, 1 %', { clauses: [{ key: 'rank', operator: 'equals', value: 3 }] }],
      ['one page', { pageId: 'instances/p7.md' }],
    ] as [string, Partial<LaneFilter>][]) {
      const search = (at: number) =>
        storage.vectors.lane.search(questions[at % QUESTIONS]!, { ...EVERYTHING, ...filter }, LIMIT);
      if (filter.clauses) {
        const asked = performance.now();
        await search(0);
        first.push(`${name} ${ms(performance.now() - asked)}`);
        // Asked twice, a header key is read into memory.
        await search(1);
        await storage.vectors.whenSettled();
      }
      rows.push(row(name, await timed(search), 'exact'));
    }
    console.log(table([['the lane under a filter', 'p50 ms', 'p95 ms', 'searches/CPU s', ''], ...rows]));
    console.log(`\nasked for the first time, in ms: ${first.join(', ')}`);
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(storage: Storage, count: number): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const puts = Array.from({ length: Math.min(500, count - from) }, (_, i) => {
      const at = from + i;
      const skill = at % 100 === 0 ? 'rare' : 'common';
      const blocks = Array.from(
        { length: 4 },
        (_each, n) => `Block ${n} of pump ${at}: seal ${at * 7 + n}, torque ${(at * n) % 97}.`,
      );
      const content = `---\ntype: instance\nskill: ${skill}\nid: p${at}\nrank: ${at % 100}\n---\n# Pump ${at}\n\n${blocks.join('\n\n')}\n`;
      return {
        pageId: `instances/p${at}.md`,
        base: 0,
        content,
        author: null,
        origin: 'import',
        message: null,
        committedAt: '2026-03-04T05:06:07.890Z',
      } as const;
    });
    await storage.pages.commit({ puts });
  }
}

/** Texts of about 64 tokens. */
const text = (at: number): string =>
  `Pump ${at} needs a new seal every ${at % 12} months. `.repeat(3) +
  'The spare part is ordered from the store in Hamburg and fitted by the service team on site.';

async function embedding(): Promise<void> {
  const rows = [await embedded('hash', hashEmbedder(), quick ? 2000 : 20_000)];
  for (const name of ['all-MiniLM-L6-v2', 'multilingual-e5-small']) {
    const folder = join(MODELS, name);
    if (quick || !existsSync(folder)) {
      console.log(`\n${name} is left out: ${quick ? '--quick' : 'its folder is not there'}`);
      continue;
    }
    const embedder = await localEmbedder({ folder, dim: null, threads: 1 });
    rows.push(await embedded(name, embedder, 256));
    await embedder.close();
  }
  console.log(
    `\n${table([['embedder', 'texts/CPU s', 'texts/s', 'question p50 ms, idle', 'p95 ms, while it embeds'], ...rows])}`,
  );
}

async function embedded(name: string, embedder: Embedder, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, at) => text(at));
  await embedder.embedTexts(texts.slice(0, 8));
  const idle: number[] = [];
  for (let at = 0; at < 20; at++) idle.push(await took(embedder, at));
  const from = performance.now();
  const cpu = cpuSeconds();
  await embedder.embedTexts(texts);
  const [seconds, spent] = [(performance.now() - from) / 1000, cpuSeconds() - cpu];
  const busy: number[] = [];
  let done = false;
  const isDone = (): boolean => done;
  const work = embedder.embedTexts(texts.slice(0, count / 2)).then(() => (done = true));
  // A turn each, or an embedder that answers at once would keep the other work from going on.
  for (; !isDone(); await turn()) busy.push(await took(embedder, busy.length));
  await work;
  return [name, figure(count / spent), figure(count / seconds), ms(percentile(idle, 0.5)), ms(percentile(busy, 0.95))];
}

async function took(embedder: Embedder, at: number): Promise<number> {
  const from = performance.now();
  await embedder.embedQuery(`which seal does pump ${at} need?`);
  return performance.now() - from;
}

await compare();
await lane();
await embedding();
