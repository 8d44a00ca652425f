import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import { spaceKey } from '../../../search/vectors/index.ts';
import type {
  Embedder,
  QuestionVector,
  VectorLane,
  VectorLaneState,
  VectorSpace,
} from '../../../search/vectors/ports.ts';
import type { Db } from '../database.ts';
import { blockTexts } from './block-texts.ts';
import { blockReads } from './hits.ts';
import { served, type Served } from './served.ts';
import { sweepLost } from './loading.ts';
import type { Coarse } from './matrix.ts';
import { pagesInMemory } from './page-facts.ts';
import { questionCache } from './question-cache.ts';
import { searchSet } from './search-set.ts';
import { spending } from './spent.ts';
import { storedVectors, type Generation, type Parked } from './stored.ts';

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
  /** Vectors that know spelling alone are not made before somebody asks for them. */
  readonly lazy?: boolean | undefined;
  /** So many blocks got a vector. */
  readonly onEmbedded?: ((count: number) => void) | undefined;
  readonly onWritten: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

const DIRTY_AT_ONCE = 20;
const DIRTY_BEFORE_SEARCH = 200;
const PARKED_SHOWN = 20;

/**
 * The vector lane over index.sqlite. Each space has a generation of vectors with an embedder of its own: a question is only ever
 * compared with vectors of the embedder that made its own.
 */
export function openVectors(parts: VectorsParts): Vectors {
  const { db, index, ready, coarse, log } = parts;
  const tools = { spend: spending(db, parts.clock) };
  const open = (source: string): Promise<Embedder | null> => parts.open(source, tools);
  const stored = storedVectors(db);
  const texts = blockTexts(index);
  const reads = blockReads(index);
  const pages = pagesInMemory();
  const cache = questionCache();
  const dirty = new Set<number>();
  /** Pages that pass a filter, until any page changes. */
  const masks = new Map<string, Uint8Array>();
  let serving: Served | null = null;
  let building: Served | null = null;
  let wanted = true;
  let stopped = false;
  const isStopped = (): boolean => stopped;
  let last: Promise<unknown> = Promise.resolve();
  let sweeping: Promise<void> = sweepLost(stored, isStopped);
  let refreshing: Promise<void> | undefined;

  const both = (): Served[] => [serving, building].filter(one => one !== null);
  const isLazy = ({ space }: Embedder): boolean => parts.lazy === true && !space.semantic;

  function take(page: number): void {
    dirty.delete(page);
    const awake = both().filter(one => !one.asleep());
    // Whoever begins to work later reads every page.
    if (awake.length === 0) return;
    const now = texts.of(page);
    if (now) pages.set(page, now.facts);
    else pages.remove(page);
    for (const one of awake) one.apply(page, now);
  }

  function refresh(most: number): void {
    let left = most;
    for (const page of dirty) {
      if (left-- === 0) return;
      take(page);
    }
  }

  async function refreshAll(): Promise<void> {
    for (await turn(); dirty.size > 0 && !isStopped(); await turn()) refresh(DIRTY_AT_ONCE);
    refreshing = undefined;
  }

  function changed(page: number): void {
    masks.clear();
    dirty.add(page);
    refreshing ??= refreshAll().catch(error => log.error({ err: error }, 'vectors do not follow the index'));
  }

  const begin = (generation: Generation, embedder: Embedder): Served =>
    served(generation, embedder, {
      texts,
      stored,
      ready,
      pages,
      onMade(made, count) {
        made.forEach(take);
        parts.onWritten();
        parts.onEmbedded?.(count);
      },
      onComplete: one => void inTurn(() => promote(one)),
      lazy: isLazy(embedder),
      log,
    });

  /** The old generation goes when the new one has everything. */
  async function promote(one: Served): Promise<void> {
    if (one !== building || !one.isComplete()) return;
    const old = serving;
    stored.serve(one.generation.generation);
    [serving, building] = [one, null];
    log.info({ model: one.generation.space.model, blocks: one.counts().total }, 'the new embedding model answers');
    if (old) await remove(old);
  }

  async function remove(old: Served): Promise<void> {
    stored.drop(old.generation.generation);
    await old.stop();
    sweeping = sweeping.then(() => sweepLost(stored, isStopped));
  }

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const mine = last.then(task);
    last = mine.catch(error => log.error({ err: error }, 'changing the embedding model failed'));
    return mine;
  }

  async function configure(source: string): Promise<VectorSpace | null> {
    const embedder = await open(source);
    wanted = embedder !== null;
    if (!embedder) {
      await Promise.all(both().map(one => one.stop()));
      [serving, building] = [null, null];
      return null;
    }
    const generation = stored.add(embedder.space, source);
    stored.unpark(generation.generation);
    const same = both().find(one => one.generation.generation === generation.generation);
    if (same) {
      [...same.parked()].forEach(take);
      await same.replace(embedder);
    }
    if (building && building !== same) {
      const dropped = building;
      building = null;
      await remove(dropped);
    }
    if (same) {
      // A process that ended before an old generation was dropped left it behind.
      dropOthers();
      return embedder.space;
    }
    if (!serving && !generation.serving && !isLazy(embedder)) await resumeOld();
    if (serving && !isLazy(embedder)) building = begin(generation, embedder);
    else {
      const old = serving;
      stored.serve(generation.generation);
      serving = begin(generation, embedder);
      if (old) await remove(old);
    }
    dropOthers();
    return embedder.space;
  }

  /** Generations that nobody builds or serves any more. */
  function dropOthers(): void {
    const kept = new Set(both().map(one => one.generation.generation));
    for (const { generation } of stored.generations()) if (!kept.has(generation)) stored.drop(generation);
    sweeping = sweeping.then(() => sweepLost(stored, isStopped));
  }

  async function resumeOld(): Promise<boolean> {
    const old = stored.generations().find(one => one.serving);
    if (serving || !old) return serving !== null;
    try {
      const embedder = await open(old.source);
      if (!embedder) return false;
      if (spaceKey(embedder.space) === spaceKey(old.space)) serving = begin(old, embedder);
      else await embedder.close();
    } catch (error) {
      log.warn({ err: error, model: old.space.model }, 'the former embedding model cannot be used any more');
    }
    return serving !== null;
  }

  async function ask(text: string, signal: AbortSignal | undefined): Promise<QuestionVector | null> {
    for (;;) {
      const now = serving;
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
        if (serving !== now && serving !== null) continue;
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
    for (let asked: QuestionVector | null = question; asked; asked = await ask(question.text, undefined)) {
      if (serving && spaceKey(serving.generation.space) === asked.space) return { set: serving, values: asked.values };
    }
    return null;
  }

  function laneState(): VectorLaneState {
    if (!serving || serving.asleep())
      return { state: serving || !wanted ? 'off' : 'down', serving: null, done: 0, total: 0 };
    const { done, total } = serving.counts();
    const state = serving.isLoaded() ? (serving.isComplete() && dirty.size === 0 ? 'ready' : 'filling') : 'loading';
    return { state, serving: serving.generation.space, done, total };
  }

  const statusOf = (one: Served | null): GenerationStatus | null =>
    one === null || one.asleep()
      ? null
      : { ...one.generation.space, ...one.status(), parked: stored.parked(one.generation.generation, PARKED_SHOWN) };

  return {
    lane: {
      question: ask,
      async search(question, filter, limit) {
        const now = await current(question);
        if (!now) return [];
        refresh(DIRTY_BEFORE_SEARCH);
        return searchSet(now.set, now.values, filter, limit, { pages, reads, kept: masks, coarse });
      },
      async background(question) {
        const now = await current(question);
        return now && now.set.background(now.values);
      },
      state: laneState,
    },
    configure: source => inTurn(() => configure(source)),
    resume: () => inTurn(resumeOld),
    changed,
    status: () => ({ lane: laneState(), serving: statusOf(serving), building: statusOf(building) }),
    async whenSettled() {
      for (let before: unknown; before !== last || dirty.size > 0;) {
        before = last;
        await last;
        await refreshing;
        await Promise.all(both().map(one => one.whenIdle()));
        await sweeping;
      }
    },
    async stop() {
      stopped = true;
      await last;
      await Promise.all(both().map(one => one.stop()));
      await refreshing;
      await sweeping;
    },
  };
}
