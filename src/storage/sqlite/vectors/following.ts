import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import type { BlockTexts } from './block-texts.ts';
import type { PagesInMemory } from './page-facts.ts';
import type { Served } from './served.ts';

/** Brings what changed in index.sqlite into memory, page by page. */
export interface Following {
  /** The rows of a page are others than before. */
  changed(page: number): void;
  /** Reads a page again. */
  take(page: number): void;
  /** Reads so many of the pages that changed. */
  refresh(most: number): void;
  /** Whether every page is as it stands in the index. */
  isCurrent(): boolean;
  /** Resolves when the pages that changed are read. */
  settled(): Promise<void>;
}

export interface FollowingParts {
  readonly texts: BlockTexts;
  readonly pages: PagesInMemory;
  /** Whose vectors follow. */
  readonly both: () => readonly Served[];
  readonly stopped: () => boolean;
  readonly log: Log;
}

const DIRTY_AT_ONCE = 20;

export function following({ texts, pages, both, stopped, log }: FollowingParts): Following {
  const dirty = new Set<number>();
  let refreshing: Promise<void> | undefined;

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
    for (await turn(); dirty.size > 0 && !stopped(); await turn()) refresh(DIRTY_AT_ONCE);
    refreshing = undefined;
  }

  return {
    changed(page) {
      dirty.add(page);
      refreshing ??= refreshAll().catch(error => log.error({ err: error }, 'vectors do not follow the index'));
    },
    take,
    refresh,
    isCurrent: () => dirty.size === 0,
    settled: async () => void (await refreshing),
  };
}
