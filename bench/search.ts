import Database from 'better-sqlite3';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneFilter } from '../src/search/ports.ts';
import { addSqlFunctions } from '../src/storage/sqlite/index/sql-functions.ts';
import { lexicalReader } from '../src/storage/sqlite/lexical/lexical-reader.ts';
import { randomFrom, searchCorpus, type SampleBlock } from './lib/search-corpus.ts';
import { fillBare, fillIndex, isHidden, pageOf } from './lib/search-store.ts';
import { cpuSeconds, figure, median, percentile, table } from './lib/stats.ts';

/**
 * Questions to the lexical lane over synthetic blocks, access filter on, beside a bare FTS5 table of the same texts asked for any of
 * the words; each question is made from a known block, which must come back among the first ten. `--blocks N` sets the size, `--keep
 * FOLDER` is where the tables are kept for the next run, and `--no-bare` leaves FTS5 out.
 */
const quick = process.argv.includes('--quick');
const given = process.argv.indexOf('--blocks');
const SIZES = given > 0 ? [Number(process.argv[given + 1])] : quick ? [10_000] : [10_000, 100_000, 1_000_000];
const EACH = quick ? 60 : 200;
const withBare = !process.argv.includes('--no-bare');

type Mix = (block: SampleBlock, random: () => number) => string | null;

const corpus = searchCorpus();
const take = (block: SampleBlock, from: number, count: number): string[] => block.content.slice(from, from + count);

/** A question in which so many words of the block stand among grammar words. */
function question(block: SampleBlock, random: () => number, words: readonly string[]): string {
  const small = (): string => corpus.small(random, block.german);
  return words.flatMap(word => [small(), small(), word]).join(' ');
}

function misspelt(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const letter = 'abcdefghijklmnopqrstuvwxyz'.charAt(Math.floor(random() * 26));
  const ways = [
    before + after,
    before + letter + after,
    before + here + letter + after,
    before + after.charAt(0) + here + after.slice(1),
  ];
  return ways[Math.floor(random() * ways.length)]!;
}

const MIXES: Record<string, Mix> = {
  rare: block => block.rare,
  'two words': block => (block.content.length < 4 ? null : take(block, 0, 2).join(' ')),
  question: (block, random) =>
    block.content.length < 8 ? null : question(block, random, [...take(block, 0, 3), ...block.content.slice(-2)]),
  'long mail': (block, random) => {
    const noise = Array.from({ length: 120 }, () => corpus.word(random, block.german));
    return `${noise.slice(0, 60).join(' ')} ${block.body} ${noise.slice(60).join(' ')}`;
  },
  typo: (block, random) => block.rare && misspelt(block.rare, random),
  'first part': block => block.compound && block.compound[0],
  'last part': block => block.compound && block.compound[1],
  compound: block => block.compound && block.compound[2],
  'small words': (block, random) => Array.from({ length: 5 }, () => corpus.small(random, block.german)).join(' '),
  'no match': (_, random) => Array.from({ length: 5 }, () => corpus.unheard(Math.floor(random() * 1e9))).join(' '),
};
const WITHOUT_HIT = new Set(['small words', 'no match']);

const kept = process.argv.indexOf('--keep');
const folder = kept > 0 ? process.argv[kept + 1]! : mkdtempSync(join(tmpdir(), 'cairn-search-'));
mkdirSync(folder, { recursive: true });
try {
  for (const blocks of SIZES) run(blocks);
} finally {
  if (kept < 0) rmSync(folder, { recursive: true, force: true });
}

function run(blocks: number): void {
  const filled = fillIndex(join(folder, `${blocks}.sqlite`), corpus, blocks);
  const bare = withBare ? fillBare(join(folder, `${blocks}-bare.sqlite`), corpus, blocks) : null;
  const db = new Database(filled.path, { readonly: true });
  db.pragma('cache_size = -65536');
  addSqlFunctions(db);
  const reader = lexicalReader(db);
  const scope: LaneFilter['scope'] = { all: false, allowed: filled.allowed, owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  const started = performance.now();
  reader.ask({ text: 'warm unheardofs' }, filter, 10);
  const open = performance.now() - started;

  const rows = Object.entries(MIXES).map(([name, mix]) => {
    const asked = questions(blocks, mix);
    const ours: number[] = [];
    const oursCpu: number[] = [];
    let found = 0;
    const cpu = cpuSeconds();
    for (const { text, page } of asked) {
      const [at, cpuAt] = [performance.now(), cpuSeconds()];
      const { hits } = reader.ask({ text }, filter, 10);
      ours.push(performance.now() - at);
      oursCpu.push((cpuSeconds() - cpuAt) * 1000);
      if (hits.some(hit => hit.pageId === page)) found += 1;
    }
    const perCpu = asked.length / (cpuSeconds() - cpu);
    const theirs: number[] = [];
    let bareFound = 0;
    for (const { text, page } of bare ? asked.slice(0, blocks > 200_000 ? 20 : EACH) : []) {
      const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 64);
      const at = performance.now();
      if (bare!.ask(words).includes(page)) bareFound += 1;
      theirs.push(performance.now() - at);
    }
    const rate = (n: number, of: number): string => (WITHOUT_HIT.has(name) || of === 0 ? '' : (n / of).toFixed(3));
    return [
      name,
      median(ours),
      percentile(ours, 0.95),
      median(oursCpu),
      percentile(oursCpu, 0.95),
      perCpu,
      rate(found, asked.length),
      median(theirs),
      percentile(theirs, 0.95),
      rate(bareFound, theirs.length),
      median(theirs) / median(ours),
    ];
  });
  db.close();
  bare?.close();
  process.stdout.write(
    `${figure(blocks)} blocks; indexing ${figure(filled.cpuMsOfPage ?? Number.NaN)} CPU ms a page of four; first question ${figure(open)} ms\n\n` +
      `${table([
        [
          '',
          'p50 ms',
          'p95 ms',
          'CPU p50',
          'CPU p95',
          'asked/CPU s',
          'found',
          'FTS5 p50',
          'FTS5 p95',
          'found',
          'FTS5 / ours',
        ],
        ...rows,
      ])}\n\n`,
  );
}

/** Questions of one mix, each with the page it was made from. */
function questions(blocks: number, mix: Mix): { text: string; page: string }[] {
  const random = randomFrom(4711);
  const asked: { text: string; page: string }[] = [];
  for (let tries = 0; asked.length < EACH && tries < EACH * 500; tries++) {
    const n = Math.floor(random() * (tries % 2 === 0 ? blocks : Math.min(blocks, 20_000)));
    if (isHidden(n)) continue;
    const text = mix(corpus.block(n), random);
    if (text !== null) asked.push({ text, page: pageOf(n) });
  }
  return asked;
}
