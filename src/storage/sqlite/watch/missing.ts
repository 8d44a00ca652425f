import type { Log } from '../../../kernel/log.ts';

/** So many files may vanish together before anybody asks whether that was meant. */
const FEW = 20;
const TENTH = 10;

/** Pages whose files went missing together, so that a broken mount or checkout is presumed. */
export interface Missing {
  /** How many pages are held back from being archived. */
  count(): number;
  /** Whether so many of `live` pages are too many; when some are held already, one is. */
  tooMany(pages: number, live: number): boolean;
  /** Holds these pages; `all`: and no others. */
  hold(pages: readonly string[], live: number, all: boolean): void;
  /** The file of a page is there. */
  found(pageId: string): void;
  /** Nothing is missing any more, or it was meant to go. */
  release(): void;
}

export function missingFiles(log: Log): Missing {
  let held = new Set<string>();
  let told = 0;

  function tellBack(): void {
    if (held.size === 0 && told > 0) log.warn('no files of pages are missing any more');
    if (held.size === 0) told = 0;
  }

  return {
    count: () => held.size,
    tooMany: (pages, live) => held.size > 0 || (pages > FEW && pages * TENTH > live),
    hold(pages, live, all) {
      held = new Set(all ? pages : [...held, ...pages]);
      if (held.size !== told) {
        log.error(
          { missing: held.size, pages: live, examples: [...held].slice(0, 3) },
          'so many files of pages are missing that the folder is presumed broken: nothing is archived until they are back or rebuild is called with accept_deletions',
        );
        told = held.size;
      }
    },
    found(pageId) {
      if (held.delete(pageId)) tellBack();
    },
    release() {
      held.clear();
      tellBack();
    },
  };
}
