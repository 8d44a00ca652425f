import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../src/kernel/clock.ts';
import { project } from '../src/pages/index.ts';
import type { LaneFilter } from '../src/search/ports.ts';
import { fileLanes } from '../src/storage/lanes/index.ts';
import { openStorage } from '../src/storage/sqlite/index.ts';
import { randomFrom, searchCorpus } from './lib/search-corpus.ts';
import { figure, median, percentile, table } from './lib/stats.ts';

/**
 * Questions to a whole store, its reading threads included: one client, eight clients, and eight clients while 500 pages are
 * committed one after the other; each committed page is asked for at once by a word of its own. The peer is the store at rest.
 */
const quick = process.argv.includes('--quick');
const PAGES = quick ? 3000 : 25_000;
const BLOCKS_OF_PAGE = 4;
const CLIENTS = 8;
const COMMITS = quick ? 50 : 500;
const SECONDS = quick ? 1 : 8;
const AT_ONCE = 500;

const folder = mkdtempSync(join(tmpdir(), 'cairn-search-load-'));
const corpus = searchCorpus();
const log = pino({ level: 'warn' }, { write: () => true });
const storage = await openStorage({
  dataDir: join(folder, 'data'),
  project,
  lanes: fileLanes,
  clock: systemClock,
  log,
});

const pageId = (n: number): string => `markdown/instances/s${n % 10}/p${n}.md`;

function put(n: number, content: string) {
  return {
    pageId: pageId(n),
    base: 0,
    content: `---\ntype: instance\nskill: s${n % 10}\nid: p${n}\n---\n\n${content}\n`,
    author: null,
    origin: 'import' as const,
    message: null,
    committedAt: systemClock().toISOString(),
  };
}

const textOf = (n: number): string =>
  Array.from({ length: BLOCKS_OF_PAGE }, (_, at) => corpus.block(n * BLOCKS_OF_PAGE + at).body).join('\n\n');

for (let from = 0; from < PAGES; from += AT_ONCE) {
  const puts = Array.from({ length: Math.min(AT_ONCE, PAGES - from) }, (_, at) => put(from + at, textOf(from + at)));
  const { committed } = await storage.pages.commit({ puts });
  if (!committed) throw new Error('the filling collided');
}
await storage.whenDrained();

const classes = await storage.index.accessClasses();
const allowed = classes.flatMap(one => (one.skill === 's9' ? [] : [one.id]));
const scope: LaneFilter['scope'] = { all: false, allowed, owned: [], ownerKeys: [] };
const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
const random = randomFrom(99);

/** Five words of a block among ten small ones. */
function question(): string {
  for (;;) {
    const block = corpus.block(Math.floor(random() * PAGES * BLOCKS_OF_PAGE));
    if (block.content.length < 8) continue;
    const small = (): string => corpus.small(random, block.german);
    return [...block.content.slice(0, 3), ...block.content.slice(-2)]
      .flatMap(word => [small(), small(), word])
      .join(' ');
  }
}

interface Figures {
  readonly latencies: number[];
  readonly seconds: number;
}

async function asked(clients: number, goesOn: () => boolean): Promise<Figures> {
  const latencies: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (goesOn()) {
        const at = performance.now();
        await storage.lexical.ask({ text: question() }, filter, 10);
        latencies.push(performance.now() - at);
      }
    }),
  );
  return { latencies, seconds: (performance.now() - began) / 1000 };
}

function forSeconds(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

const tail = 'zqjx';
let missed = 0;
let writing = true;
async function write(): Promise<void> {
  for (let n = 0; n < COMMITS; n++) {
    // Of one length and far from each other, so that no spelling of one is a typing error of another.
    const own = `${tail}${(n * 7919 + 104_729).toString(36).padStart(5, 'k')}${tail}`;
    const { committed } = await storage.pages.commit({ puts: [put(PAGES + n, `${own} ${textOf(n)}`)] });
    const { hits } = await storage.lexical.ask({ text: own }, { ...filter, scope: { ...scope, all: true } }, 10);
    if (!committed || hits[0]?.pageId !== pageId(PAGES + n)) missed += 1;
  }
  writing = false;
}

await asked(CLIENTS, forSeconds(quick ? 0.5 : 2));
const one = await asked(1, forSeconds(SECONDS));
const eight = await asked(CLIENTS, forSeconds(SECONDS));
const [busy] = await Promise.all([asked(CLIENTS, () => writing), write()]);
await storage.close();
rmSync(folder, { recursive: true, force: true });

const row = (name: string, { latencies, seconds }: Figures) => [
  name,
  latencies.length / seconds,
  median(latencies),
  percentile(latencies, 0.95),
];
process.stdout.write(`${figure(PAGES * BLOCKS_OF_PAGE)} blocks, questions of 15 words\n\n`);
process.stdout.write(
  `${table([['', 'asked/s', 'p50 ms', 'p95 ms'], row('1 client', one), row(`${CLIENTS} clients`, eight), row(`${CLIENTS} clients, writes`, busy)])}\n\n`,
);
const p95 = (figures: Figures): number => percentile(figures.latencies, 0.95);
process.stdout.write(`p95 while writing / at rest: ${figure(p95(busy) / p95(eight))}\n`);
process.stdout.write(`${COMMITS} commits, ${missed} of them not found at once\n`);
if (missed > 0) process.exitCode = 1;
