import type { Log } from '../../../kernel/log.ts';
import { spaceKey } from '../../../search/vectors/index.ts';
import type { Embedder, VectorSpace } from '../../../search/vectors/ports.ts';
import { sweepLost } from './loading.ts';
import type { Served } from './served.ts';
import type { Generation, StoredVectors } from './stored.ts';

/** The generation that answers, the one that is to, and how one goes over to the other. */
export interface Generations {
  serving(): Served | null;
  /** What is to serve once every block has a vector of it. */
  building(): Served | null;
  both(): readonly Served[];
  /** False when no vectors are wanted. */
  wanted(): boolean;
  /** See Vectors. */
  configure(source: string): Promise<VectorSpace | null>;
  resume(): Promise<boolean>;
  /** Resolves to whether nothing was changed, embedded or removed since it was asked. */
  rested(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface GenerationsParts {
  readonly stored: StoredVectors;
  readonly open: (source: string) => Promise<Embedder | null>;
  readonly begin: (generation: Generation, embedder: Embedder, onComplete: (one: Served) => void) => Served;
  /** Does nothing before somebody asks for its vectors. */
  readonly isLazy: (embedder: Embedder) => boolean;
  /** Reads a page again. */
  readonly take: (page: number) => void;
  readonly stopped: () => boolean;
  readonly log: Log;
}

/** Changes run one after the other. */
export function generations({ stored, open, begin, isLazy, take, stopped, log }: GenerationsParts): Generations {
  let serving: Served | null = null;
  let building: Served | null = null;
  let wanted = true;
  let last: Promise<unknown> = Promise.resolve();
  let sweeping: Promise<void> = sweepLost(stored, stopped);

  const both = (): Served[] => [serving, building].filter(one => one !== null);
  const started = (generation: Generation, embedder: Embedder): Served =>
    begin(generation, embedder, one => void inTurn(() => promote(one)));

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
    sweeping = sweeping.then(() => sweepLost(stored, stopped));
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
    if (serving && !isLazy(embedder)) building = started(generation, embedder);
    else {
      const old = serving;
      stored.serve(generation.generation);
      serving = started(generation, embedder);
      if (old) await remove(old);
    }
    dropOthers();
    return embedder.space;
  }

  /** Generations that nobody builds or serves any more. */
  function dropOthers(): void {
    const kept = new Set(both().map(one => one.generation.generation));
    for (const { generation } of stored.generations()) if (!kept.has(generation)) stored.drop(generation);
    sweeping = sweeping.then(() => sweepLost(stored, stopped));
  }

  async function resumeOld(): Promise<boolean> {
    const old = stored.generations().find(one => one.serving);
    if (serving || !old) return serving !== null;
    try {
      const embedder = await open(old.source);
      if (!embedder) return false;
      if (spaceKey(embedder.space) === spaceKey(old.space)) serving = started(old, embedder);
      else await embedder.close();
    } catch (error) {
      log.warn({ err: error, model: old.space.model }, 'the former embedding model cannot be used any more');
    }
    return serving !== null;
  }

  return {
    serving: () => serving,
    building: () => building,
    both,
    wanted: () => wanted,
    configure: source => inTurn(() => configure(source)),
    resume: () => inTurn(resumeOld),
    async rested() {
      const before = last;
      await last;
      await Promise.all(both().map(one => one.whenIdle()));
      await sweeping;
      return before === last;
    },
    async stop() {
      await last;
      await Promise.all(both().map(one => one.stop()));
      await sweeping;
    },
  };
}
