import type { Log } from '../../../kernel/log.ts';
import { fileOfPage, sameFacts } from '../../../pages/lanes/index.ts';
import type { FileListener, Lanes, Touched } from '../../../pages/lanes/ports.ts';
import { isCoarse, REST_MS } from '../publish/at-rest.ts';
import type { PublishRecords } from '../publish/records.ts';
import { pageOf, type Intake } from './intake.ts';
import type { Missing } from './missing.ts';

const TICK_MS = 100;
/** What is heard of has been still for a while already; how old its last write is, the file itself says in the end. */
const QUIET_MS = REST_MS - TICK_MS;
/** So long after the last deletion the other end of a rename may still turn up. */
const GONE_MS = 1000;
/** All files are looked at from time to time, for changes that nobody told of; how often depends on what it costs. */
const LOOK_PAUSE_MS = 60_000;
const BLIND_PAUSE_MS = 2000;
const MISSING_PAUSE_MS = 5000;
const PAUSE_PER_LOOK = 100;
const BLIND_PAUSE_PER_LOOK = 20;

export interface FileWatcher {
  /** The time for the next look at all files runs from here. */
  looked(tookMs: number): void;
  stop(): Promise<void>;
}

export interface FileWatcherParts {
  readonly lanes: Pick<Lanes, 'watch'>;
  readonly records: PublishRecords;
  readonly intake: Intake;
  readonly missing: Missing;
  /** Looks at all files. */
  readonly look: () => Promise<unknown>;
  readonly log: Log;
}

interface Suspect {
  /** When it was last told of. */
  readonly at: number;
  readonly gone: boolean;
}

/**
 * Takes in what others do to files while the server runs: an edit when the file has come to rest, a deletion when nobody has
 * put the file back and no other file went for a while, a rename as soon as both its ends are known.
 */
export function fileWatcher({ lanes, records, intake, missing, look, log }: FileWatcherParts): FileWatcher {
  const suspects = new Map<string, Suspect>();
  let timer: NodeJS.Timeout | undefined;
  let nextLook: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let busy = false;
  let blind = false;
  let stopped = false;

  function hear({ path, facts }: Touched): void {
    const pageId = pageOf(path);
    const published = records.published(pageId);
    if (facts) {
      missing.found(pageId);
      const known = path === fileOfPage(pageId) && sameFacts(published?.facts, facts) && !isCoarse(facts);
      if (known) suspects.delete(path);
      else suspects.set(path, { at: Date.now(), gone: false });
    } else if (published && path === fileOfPage(pageId)) suspects.set(path, { at: Date.now(), gone: true });
    else suspects.delete(path);
  }

  const listener: FileListener = {
    touched(files) {
      for (const file of files) hear(file);
      wake();
    },
    folderGone(folder) {
      for (const pageId of records.below(pageOf(folder))) hear({ path: fileOfPage(pageId), facts: null });
      wake();
    },
    lost: () => lookIn(REST_MS),
    blind(reason) {
      if (!blind) log.warn({ reason }, 'not all folders can be watched: outside edits take longer to be seen');
      blind = true;
    },
  };

  function wake(): void {
    if (suspects.size > 0 && !stopped) timer ??= setTimeout(tick, TICK_MS).unref();
  }

  function tick(): void {
    timer = undefined;
    if (busy || stopped) return;
    const due = takeDue(Date.now());
    if (due.files.length === 0 && due.lost.length === 0) return wake();
    busy = true;
    running = intake
      .takeIn(due, { acceptDeletions: false, complete: false })
      .catch((error: unknown) => {
        if (!stopped) log.error({ err: error }, 'edits from outside could not be taken in, they are looked at again');
        lookIn(LOOK_PAUSE_MS);
      })
      .finally(() => {
        busy = false;
        wake();
      });
  }

  function takeDue(now: number) {
    const all = [...suspects];
    const files = all.flatMap(([path, { at, gone }]) => (!gone && now - at >= QUIET_MS ? [path] : []));
    const missed = all.filter(([, { gone }]) => gone);
    const quiet = missed.every(([, { at }]) => now - at >= GONE_MS);
    const gone = missed.map(([path]) => path);
    const lost = quiet ? gone : [];
    for (const path of [...files, ...lost]) suspects.delete(path);
    return { files, gone: gone.map(pageOf), lost: lost.map(pageOf) };
  }

  function lookIn(ms: number): void {
    if (stopped) return;
    clearTimeout(nextLook);
    nextLook = setTimeout(() => void look().catch(() => undefined), ms).unref();
  }

  const watch = lanes.watch(listener);
  return {
    looked(tookMs) {
      const least = missing.count() > 0 ? MISSING_PAUSE_MS : blind ? BLIND_PAUSE_MS : LOOK_PAUSE_MS;
      lookIn(Math.max(least, tookMs * (blind || missing.count() > 0 ? BLIND_PAUSE_PER_LOOK : PAUSE_PER_LOOK)));
    },
    async stop() {
      stopped = true;
      watch.stop();
      clearTimeout(timer);
      clearTimeout(nextLook);
      await running;
    },
  };
}
