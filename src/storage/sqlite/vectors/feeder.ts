import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import { EmbedderFault, fixedVector } from '../../../search/vectors/index.ts';
import type { Embedded, Embedder } from '../../../search/vectors/ports.ts';
import type { AskedTexts } from './asked.ts';
import type { BlockText, BlockTexts } from './block-texts.ts';
import { ENDED, type Made, type StoredVectors } from './stored.ts';
import type { VectorSet } from './vector-set.ts';

const MOST_AT_ONCE = 64;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 60_000;
/** Clocks change, and limits of services too. */
const LONGEST_SLEEP_MS = 3_600_000;
const REPORT_EVERY_MS = 5000;
const FAILURES_TO_FIND_A_TEXT = 3;
/** What any embedder can take: when even this fails, the text before it was not at fault. */
const PROBE = 'cairn';
const LEFT_OUT = 'a text cannot be embedded, it is left out';

export interface Feeder {
  /** Texts may be waiting. */
  wake(): void;
  /** Seconds until every text has its vector at the pace of the last minutes; null when nobody knows. */
  secondsLeft(): number | null;
  /** Why it does not get on, null while it does. */
  trouble(): string | null;
  stop(): Promise<void>;
}

export interface FeederParts {
  readonly set: VectorSet;
  readonly embedder: () => Embedder;
  readonly texts: BlockTexts;
  readonly stored: StoredVectors;
  readonly asked: AskedTexts;
  /** Vectors of texts on these pages were stored, `count` of them of blocks as a whole: parts cost nobody anything (E072). */
  readonly onMade: (pages: readonly number[], count: number) => void;
  /** Nothing is pending. */
  readonly onIdle: () => void;
  readonly log: Log;
}

/**
 * Embeds what a set has no vectors for, batch by batch, and stores them. A text that cannot be embedded although the embedder
 * works is parked and reported; a failing embedder is asked again, later and later. Texts that were being asked when the process ended
 * are asked one by one, and the one that ends it twice is left out.
 */
export function startFeeder({ set, embedder, texts, stored, asked, onMade, onIdle, log }: FeederParts): Feeder {
  const { generation, space } = set.generation;
  const ending = new AbortController();
  const suspects = new Set(asked.left(generation).map(keyOf));
  for (const block of asked.leftOut(generation)) log.warn({ block, reason: ENDED, model: space.model }, LEFT_OUT);
  let wakeUp: (() => void) | undefined;
  let size = MOST_AT_ONCE;
  let failures = 0;
  let trouble: string | null = null;
  let embedded = 0;
  let busyMs = 0;
  let reported = Date.now();

  async function run(): Promise<void> {
    for (; !ending.signal.aborted; await turn()) {
      const batch = gather();
      if (batch.texts.length > 0) await embed(batch.texts, batch.pages);
      else if (batch.pages.length > 0) onMade(batch.pages, 0);
      else {
        onIdle();
        await sleep(null);
      }
    }
  }

  /** Texts without vectors, each once, from as many pages as it takes. Pages that turn out to miss nothing come along. */
  function gather(): { texts: BlockText[]; pages: number[] } {
    const wanted = new Map<string, BlockText>();
    const pages: number[] = [];
    let most = size;
    for (const page of set.pending()) {
      for (const one of texts.of(page)?.texts ?? []) {
        const key = keyOf(one.hash);
        const suspect = suspects.has(key);
        if (wanted.size === most || wanted.has(key) || (suspect && wanted.size > 0)) continue;
        if (stored.find(generation, one.hash) || stored.isParked(generation, one.hash)) continue;
        wanted.set(key, one);
        if (suspect) most = 1;
      }
      pages.push(page);
      if (wanted.size === most || pages.length === MOST_AT_ONCE) break;
    }
    return { texts: [...wanted.values()], pages };
  }

  async function embed(batch: readonly BlockText[], pages: readonly number[]): Promise<void> {
    const started = performance.now();
    try {
      const results = await askMarked(batch);
      keep(batch, results, pages);
      busyMs += performance.now() - started;
      embedded += batch.length;
      size = Math.min(MOST_AT_ONCE, size * 2);
      if (trouble !== null) log.info({ model: space.model }, 'embedding goes on');
      failures = 0;
      trouble = null;
      report();
    } catch (error) {
      if (ending.signal.aborted) return;
      if (batch.length === 1 && (await worksWithout())) {
        keep(batch, [{ poison: reasonOf(error) }], pages);
        return;
      }
      size = Math.max(1, size >> 2);
      await hold(error);
    }
  }

  async function ask(batch: readonly string[]): Promise<readonly Embedded[]> {
    const results = await embedder().embedTexts(batch, ending.signal);
    if (results.length !== batch.length) throw new EmbedderFault(`${results.length} vectors for ${batch.length} texts`);
    return results;
  }

  async function askMarked(batch: readonly BlockText[]): Promise<readonly Embedded[]> {
    const marks = embedder().inProcess === true;
    if (marks) asked.begin(generation, batch);
    try {
      return await ask(batch.map(one => one.text));
    } finally {
      if (marks) asked.end(generation, batch);
      for (const { hash } of batch) suspects.delete(keyOf(hash));
    }
  }

  async function worksWithout(): Promise<boolean> {
    try {
      const [probe] = await ask([PROBE]);
      return probe !== undefined && 'vector' in probe;
    } catch {
      return false;
    }
  }

  function keep(batch: readonly BlockText[], results: readonly Embedded[], pages: readonly number[]): void {
    const made = batch.map(({ hash, block }, at): Made => {
      const result = results[at]!;
      if ('vector' in result) return { hash, outcome: fixedVector(result.vector) };
      log.warn({ block, reason: result.poison, model: space.model }, LEFT_OUT);
      return { hash, outcome: { block, reason: result.poison } };
    });
    if (ending.signal.aborted) return;
    stored.put(generation, made);
    onMade(pages, results.filter((result, at) => batch[at]!.whole && 'vector' in result).length);
  }

  async function hold(error: unknown): Promise<void> {
    failures += 1;
    const wished = error instanceof EmbedderFault ? error.retryAfterMs : null;
    // The first failures may just be the way to a text that is at fault.
    if (failures > FAILURES_TO_FIND_A_TEXT || (wished ?? 0) > LONGEST_PAUSE_MS) {
      if (trouble === null) log.warn({ err: error, model: space.model }, 'embedding fails, it is tried again');
      trouble = reasonOf(error);
    }
    await sleep(wished ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
  }

  /** Until it is woken; with a time, that long at most and deaf to new texts. */
  function sleep(ms: number | null): Promise<void> {
    return new Promise(resolve => {
      const timer = ms === null ? undefined : setTimeout(done, Math.min(ms, LONGEST_SLEEP_MS));
      function done(): void {
        clearTimeout(timer);
        wakeUp = undefined;
        ending.signal.removeEventListener('abort', done);
        resolve();
      }
      timer?.unref();
      if (ms === null) wakeUp = done;
      ending.signal.addEventListener('abort', done);
      if (ending.signal.aborted) done();
    });
  }

  function secondsLeft(): number | null {
    const { done, total } = set.counts();
    if (done === total) return 0;
    return embedded === 0 ? null : Math.ceil(((total - done) * busyMs) / embedded / 1000);
  }

  function report(): void {
    if (Date.now() - reported < REPORT_EVERY_MS) return;
    reported = Date.now();
    log.info({ ...set.counts(), seconds_left: secondsLeft(), model: space.model }, 'embedding');
  }

  const running = run().catch(error => log.error({ err: error, model: space.model }, 'embedding stopped'));
  return {
    wake: () => wakeUp?.(),
    secondsLeft,
    trouble: () => trouble,
    async stop() {
      ending.abort();
      await running;
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
const keyOf = (hash: Buffer): string => hash.toString('base64');
