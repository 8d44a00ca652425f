import type { Log } from '../../../kernel/log.ts';
import type { Embedder } from '../../../search/vectors/ports.ts';
import type { AskedTexts } from './asked.ts';
import type { BlockTexts, PageTexts } from './block-texts.ts';
import { startFeeder, type Feeder } from './feeder.ts';
import { loadSet } from './loading.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { Generation, StoredVectors } from './stored.ts';
import { vectorSet, type SetCounts, type VectorSet } from './vector-set.ts';

/** A generation at work: its vectors in memory, its embedder, and what fills it up. */
export interface Served extends Pick<VectorSet, 'nearest' | 'nearestElsewhere' | 'estimate' | 'background' | 'parked'> {
  readonly generation: Generation;
  embedder(): Embedder;
  /** Goes on with another embedder of the same space. */
  replace(embedder: Embedder): Promise<void>;
  apply(page: number, texts: PageTexts | undefined): void;
  /** True until it is asked for the first time, where nobody is expected to. */
  asleep(): boolean;
  /** Begins to work. */
  wake(): void;
  isLoaded(): boolean;
  /** Loaded, and nothing is left to embed. */
  isComplete(): boolean;
  counts(): SetCounts;
  status(): SetCounts & { readonly secondsLeft: number | null; readonly trouble: string | null };
  /** Resolves the next time that it is complete, or when it is stopped. */
  whenIdle(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServedParts {
  readonly texts: BlockTexts;
  readonly stored: StoredVectors;
  readonly asked: AskedTexts;
  readonly ready: () => Promise<void>;
  readonly pages: PagesInMemory;
  readonly onMade: (pages: readonly number[], count: number) => void;
  readonly onComplete: (served: Served) => void;
  /** Do nothing before the first question. */
  readonly lazy: boolean;
  readonly log: Log;
}

/** Loads what is stored of a generation, then embeds what is missing, for as long as it is not stopped. */
export function served(generation: Generation, first: Embedder, parts: ServedParts): Served {
  const { texts, stored, asked, ready, pages, onMade, onComplete, lazy, log } = parts;
  const set = vectorSet(generation, stored);
  let embedder = first;
  let feeder: Feeder | undefined;
  let loaded = false;
  let stopped = false;
  let asleep = lazy;
  let wake = (): void => undefined;
  const awake = new Promise<void>(resolve => {
    wake = resolve;
  });
  let waiting: (() => void)[] = [];

  const isComplete = (): boolean => loaded && set.isComplete();

  function idle(): void {
    if (!isComplete() && !stopped) return;
    for (const resolve of waiting.splice(0)) resolve();
    if (!stopped) onComplete(one);
  }

  async function load(): Promise<void> {
    if (lazy) await awake;
    if (stopped) return;
    await ready();
    await loadSet(set, { texts, stored, pages, stopped: () => stopped });
    if (stopped) return;
    loaded = true;
    feeder = startFeeder({ set, embedder: () => embedder, texts, stored, asked, onMade, onIdle: idle, log });
  }

  const loading = load().catch(error => {
    if (!stopped) log.error({ err: error, model: generation.space.model }, 'stored vectors cannot be read');
  });

  const one: Served = {
    generation,
    nearest: set.nearest,
    nearestElsewhere: set.nearestElsewhere,
    estimate: set.estimate,
    background: set.background,
    parked: set.parked,
    embedder: () => embedder,
    async replace(next) {
      const old = embedder;
      embedder = next;
      feeder?.wake();
      if (old !== next) await old.close();
    },
    asleep: () => asleep,
    wake() {
      asleep = false;
      wake();
    },
    apply(page, now) {
      set.apply(page, now);
      feeder?.wake();
    },
    isLoaded: () => loaded,
    isComplete,
    counts: set.counts,
    status: () => ({
      ...set.counts(),
      secondsLeft: feeder?.secondsLeft() ?? null,
      trouble: feeder?.trouble() ?? null,
    }),
    whenIdle: () =>
      isComplete() || stopped || asleep ? Promise.resolve() : new Promise(resolve => void waiting.push(resolve)),
    async stop() {
      stopped = true;
      idle();
      wake();
      await loading;
      await feeder?.stop();
      await embedder.close();
    },
  };
  return one;
}
