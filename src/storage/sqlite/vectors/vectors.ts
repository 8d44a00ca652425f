import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import { spaceKey } from '../../../search/vectors/index.ts';
import type { LaneFilter } from '../../../search/ports.ts';
import type {
  Embedder,
  QuestionVector,
  VectorLane,
  VectorLaneState,
  VectorSpace,
} from '../../../search/vectors/ports.ts';
import type { Db } from '../database.ts';
import { askedTexts } from './asked.ts';
import { blockTexts } from './block-texts.ts';
import { blockReads } from './hits.ts';
import { following } from './following.ts';
import { headerColumns } from './header-columns.ts';
import { generations } from './generations.ts';
import { served, type Served } from './served.ts';
import type { Coarse } from './candidates.ts';
import { pagesInMemory } from './page-facts.ts';
import { questionCache } from './question-cache.ts';
import { scanThreads } from './scan-threads.ts';
import { searchSet } from './search-set.ts';
import { spending } from './spent.ts';
import { storedVectors, type Parked } from './stored.ts';

/** What an embedder is lent by the store. */
export interface EmbedderTools {
  /** See `spending`. */
  spend(texts: number, perDay: number): number;
}

/** Opens the embedder that a source names; null: no vectors are wanted. Rejects when it cannot be had. */
export type OpenEmbedder = (source: string, tools: EmbedderTools) => Promise<Embedder | null>;

export interface GenerationStatus extends VectorSpace {
  readonly done: number;
  readonly total: number;
  readonly secondsLeft: number | null;
  /** Why it does not get on. */
  readonly trouble: string | null;
  readonly parked: readonly Parked[];
}

export interface VectorStatus {
  readonly lane: VectorLaneState;
  readonly serving: GenerationStatus | null;
  /** What is to serve once every block has a vector of it. */
  readonly building: GenerationStatus | null;
}

export interface Vectors {
  readonly lane: VectorLane;
  /**
   * Opens the embedder of `source` and goes over to it: at once where nothing serves or its space is the one that serves,
   * otherwise when every block has a vector of it. Parked texts are tried again. Answers its space, null for none; rejects, with
   * nothing changed, when it cannot be opened. Calls run one after the other.
   */
  configure(source: string): Promise<VectorSpace | null>;
  /** Goes on with what served last, for want of anything better. False when there is nothing to go on with. */
  resume(): Promise<boolean>;
  /** The rows of a page in index.sqlite are others than before. */
  changed(page: number): void;
  status(): VectorStatus;
  /** Resolves when nothing is being loaded, embedded or removed. */
  whenSettled(): Promise<void>;
  stop(): Promise<void>;
}

export interface VectorsParts {
  /** vectors.sqlite. */
  readonly db: Db;
  readonly index: Db;
  /** Resolves when the index has rows for all pages. */
  readonly ready: () => Promise<void>;
  readonly open: OpenEmbedder;
  readonly coarse?: Coarse | undefined;
  /** Scans that take longer, in milliseconds, are left to threads. */
  readonly threadsFrom?: number | undefined;
  /** Vectors that know spelling alone are not made before somebody asks for them. */
  readonly lazy?: boolean | undefined;
  /** So many blocks got a vector. */
  readonly onEmbedded?: ((count: number) => void) | undefined;
  readonly onWritten: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const DIRTY_BEFORE_SEARCH = 200;
/** Shorter ones hold nobody up (docs/decisions/2026-12-01-vector-threads.md). */
const THREADS_FROM_MS = 0.25;
const PARKED_SHOWN = 20;

/**
 * The vector lane over index.sqlite. Each space has a generation of vectors with an embedder of its own: a question is only ever
 * compared with vectors of the embedder that made its own.
 */
export function openVectors(parts: VectorsParts): Vectors {
  const { db, index, ready, coarse, log, threadsFrom = THREADS_FROM_MS } = parts;
  const tools = { spend: spending(db, parts.clock) };
  const stored = storedVectors(db);
  const asked = askedTexts(db);
  const texts = blockTexts(index);
  const reads = blockReads(index);
  const pages = pagesInMemory();
  const cache = questionCache();
  /** Pages that pass a filter, until any page changes. */
  const masks = new Map<string, Uint8Array>();
  let stopped = false;
  const isStopped = (): boolean => stopped;
  const isLazy = ({ space }: Embedder): boolean => parts.lazy === true && !space.semantic;
  const pagesRead = following({ texts, pages, both: () => spaces.both(), stopped: isStopped, log });
  const { take } = pagesRead;
  const columns = headerColumns({ index, stopped: isStopped, log });
  const threads = scanThreads({ log });
  const searching = new Set<Promise<unknown>>();
  const spaces = generations({
    stored,
    open: source => parts.open(source, tools),
    begin: (generation, embedder, onComplete) =>
      served(generation, embedder, {
        texts,
        stored,
        asked,
        ready,
        pages,
        onMade(made, count) {
          made.forEach(take);
          parts.onWritten();
          parts.onEmbedded?.(count);
        },
        onComplete,
        lazy: isLazy(embedder),
        log,
      }),
    isLazy,
    take,
    stopped: isStopped,
    log,
  });

  async function ask(text: string, signal: AbortSignal | undefined): Promise<QuestionVector | null> {
    for (;;) {
      const now = spaces.serving();
      if (!now) return null;
      now.wake();
      const space = spaceKey(now.generation.space);
      const kept = cache.get(space, text);
      if (kept) return kept;
      try {
        const values = await now.embedder().embedQuery(text, signal);
        return cache.put({ text, space, values });
      } catch (error) {
        if (signal?.aborted) throw error;
        // It may have gone while it was asked, for another one came.
        if (spaces.serving() !== now && spaces.serving() !== null) continue;
        log.warn(
          { err: error, model: now.generation.space.model },
          'a question cannot be embedded, words alone answer',
        );
        return null;
      }
    }
  }

  /** The question in the space that serves now. */
  async function current(question: QuestionVector): Promise<{ set: Served; values: Float32Array } | null> {
    for (let vector: QuestionVector | null = question; vector; vector = await ask(question.text, undefined)) {
      const set = spaces.serving();
      if (set && spaceKey(set.generation.space) === vector.space) return { set, values: vector.values };
    }
    return null;
  }

  async function search(question: QuestionVector, filter: LaneFilter, limit: number, signal?: AbortSignal) {
    for (;;) {
      const now = await current(question);
      if (!now) return [];
      const settle = (): void => pagesRead.refresh(DIRTY_BEFORE_SEARCH);
      settle();
      const at = { pages, columns, reads, kept: masks, coarse, threads, settle, threadsFrom };
      const hits = await searchSet(now.set, now.values, filter, limit, at, signal);
      // Another model may have come while a thread looked; pages are not followed any more for the one that went.
      if (spaces.serving() === now.set || stopped) return hits;
    }
  }

  function laneState(): VectorLaneState {
    const serving = spaces.serving();
    if (!serving || serving.asleep())
      return { state: serving || !spaces.wanted() ? 'off' : 'down', serving: null, done: 0, total: 0 };
    const { done, total } = serving.counts();
    const state = serving.isLoaded()
      ? serving.isComplete() && pagesRead.isCurrent()
        ? 'ready'
        : 'filling'
      : 'loading';
    return { state, serving: serving.generation.space, done, total };
  }

  const statusOf = (one: Served | null): GenerationStatus | null =>
    one === null || one.asleep()
      ? null
      : { ...one.generation.space, ...one.status(), parked: stored.parked(one.generation.generation, PARKED_SHOWN) };

  return {
    lane: {
      question: ask,
      search(question, filter, limit, signal) {
        const answer = search(question, filter, limit, signal);
        searching.add(answer);
        const over = (): void => void searching.delete(answer);
        answer.then(over, over);
        return answer;
      },
      async background(question) {
        const now = await current(question);
        return now && now.set.background(now.values);
      },
      state: laneState,
    },
    configure: spaces.configure,
    resume: spaces.resume,
    changed(page) {
      masks.clear();
      columns.changed(page);
      pagesRead.changed(page);
    },
    status: () => ({ lane: laneState(), serving: statusOf(spaces.serving()), building: statusOf(spaces.building()) }),
    async whenSettled() {
      do {
        await pagesRead.settled();
        await columns.settled();
        await threads.settled();
      } while (!(await spaces.rested()) || !pagesRead.isCurrent());
    },
    async stop() {
      stopped = true;
      await spaces.stop();
      await pagesRead.settled();
      await columns.settled();
      await threads.stop();
      await Promise.allSettled(searching);
    },
  };
}
