import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import type { GroupCommit } from '../state/group-commit.ts';
import type { IndexWriter } from './index-writer.ts';
import { INDEX_BUILD } from './tables.ts';
import type { NewestVersions } from './versions.ts';

/** A gap of up to this many commits is closed before the store opens; a longer one in the background. */
const AT_START = 200;
const AT_ONCE = 20;
const REPORT_EVERY_MS = 5000;

export interface IndexFill {
  /** False while rows are missing, so that a reader would take a page for absent. */
  complete(): boolean;
  /** Resolves when nothing is missing any more; rejects when that failed or was stopped. */
  readonly whenComplete: Promise<void>;
  /** Ends the background work at the next page. */
  stop(): Promise<void>;
}

export interface FillParts {
  readonly writer: IndexWriter;
  readonly versions: NewestVersions;
  readonly group: GroupCommit;
  /** The newest commit at start. */
  readonly durableSeq: number;
  readonly log: Log;
}

/**
 * Brings an index up to `durableSeq`: a short gap at once, a long one and pages derived by other code in the background,
 * a few at a time, the newest commit of the run always before older ones of the same page.
 */
export function startFill({ writer, versions, group, durableSeq, log }: FillParts): IndexFill {
  planFill(writer, durableSeq);
  let stopped = false;
  const total = writer.progress().fill_to;
  let reported = Date.now();

  async function run(): Promise<void> {
    while (writer.progress().fill_from < total) {
      await turn();
      if (stopped) throw new Error('the store was closed');
      await group.between(fillNext);
    }
    writer.flush();
  }

  function fillNext(): void {
    const { versions: batch, upTo } = versions.between(writer.progress().fill_from, total, AT_ONCE);
    writer.fill(batch, upTo);
    if (Date.now() - reported < REPORT_EVERY_MS && upTo < total) return;
    reported = Date.now();
    log.info({ done: upTo, total }, 'filling the index');
  }

  const done = run();
  const hidden = writer.progress().fill_hides === 1;
  const whenComplete = hidden ? done : Promise.resolve();
  done.catch(error => {
    if (!stopped) log.error({ err: error }, 'filling the index failed, the next start goes on');
  });
  whenComplete.catch(() => undefined);
  return {
    complete: () => writer.progress().fill_hides === 0,
    whenComplete,
    async stop() {
      stopped = true;
      await done.catch(() => undefined);
    },
  };
}

function planFill(writer: IndexWriter, durableSeq: number): void {
  const { applied_seq, fill_from, fill_to, build } = writer.progress();
  if (durableSeq - applied_seq <= AT_START) writer.catchUp(durableSeq);
  else {
    const from = fill_from < fill_to ? fill_from : applied_seq;
    writer.plan({ applied_seq: durableSeq, fill_from: from, fill_to: durableSeq, fill_hides: 1 });
  }
  if (build !== INDEX_BUILD) writer.plan({ build: INDEX_BUILD, fill_from: 0, fill_to: durableSeq });
}
