import type { Db } from '../database.ts';
import { postingAppender } from './posting-appender.ts';
import { recentPostings, type TermPostings } from './recent-postings.ts';
import { postingSweep, type PostingSweep } from './sweep-postings.ts';

const TERMS_AT_ONCE = 256;
/** Lists are swept when they hold half as many documents that are gone as live ones. */
const SHARE_OF_GONE = 0.5;

export interface Sealer {
  /** The last document that postings answer for. */
  sealed(): number;
  /** Keeps a document that is being moved out of the postings. */
  drop(doc: number): void;
  /** Moves some of what waits up to `last`; false when that is done, and counts from then on. */
  step(last: number): boolean;
  /** Whether a step has to follow, for documents that are gone fill the postings. */
  sweeping(): boolean;
  /** Starts over, after a transaction was rolled back. */
  reset(): void;
}

/**
 * Moves recent documents into postings: first their words are put in order, then lists of terms are appended to a few at a time,
 * over several transactions, and count only when all of them are through. A crash in between leaves lists that are ahead; they
 * are not appended to twice.
 */
export function sealer(db: Db, enough: number): Sealer {
  const state = db.prepare<[], number>('SELECT sealed FROM lexical').pluck();
  const finish = db.prepare<[{ sealed: number }]>(
    `UPDATE lexical SET recent_from = sealed, sealed = :sealed,
       listed = listed + (SELECT count(*) FROM recent_doc WHERE doc_no <= :sealed AND doc_no > lexical.sealed),
       gone_from = max(gone_from, (SELECT coalesce(max(seq), 0) FROM gone_doc) - 1000)
     WHERE id = 1`,
  );
  const dropRecent = db.prepare('DELETE FROM recent_doc WHERE doc_no <= (SELECT recent_from FROM lexical)');
  const dropGone = db.prepare('DELETE FROM gone_doc WHERE seq <= (SELECT gone_from FROM lexical)');
  const listed = db.prepare<[], number>('SELECT listed FROM lexical').pluck();
  const countLive = db
    .prepare<[], number>('SELECT count(*) FROM doc WHERE doc_no <= (SELECT sealed FROM lexical)')
    .pluck();
  const countNew = db
    .prepare<[number, number], number>('SELECT count(*) FROM recent_doc WHERE doc_no > ? AND doc_no <= ?')
    .pluck();
  const swept = db.prepare<[number]>('UPDATE lexical SET listed = ?');
  const appender = postingAppender(db);
  let sealed = state.get()!;
  let gone = new Set<number>();
  /** Documents that are there and in the postings, once they were counted: to count them takes longer the more there are. */
  let live: number | undefined;
  let sweep: PostingSweep | undefined;
  let running: { upTo: number; gather: () => boolean; lists: Iterator<TermPostings> } | undefined;

  return {
    sealed: () => sealed,
    drop(doc) {
      if (running) gone.add(doc);
      if (live !== undefined && doc <= sealed) live -= 1;
    },
    sweeping: () => sweep !== undefined,
    step(last) {
      if (sweep) {
        if (sweep.step()) return true;
        swept.run((live ??= countLive.get()!));
        sweep = undefined;
        return false;
      }
      if (!running) {
        const recent = recentPostings(db, sealed, last);
        running = { upTo: last, gather: recent.gather, lists: recent.lists() };
      }
      if (running.gather()) return true;
      for (let n = 0; n < TERMS_AT_ONCE; n++) {
        const next = running.lists.next();
        if (!next.done) {
          appender.append(next.value, gone);
          continue;
        }
        if (live !== undefined) live += countNew.get(sealed, running.upTo)!;
        sealed = running.upTo;
        finish.run({ sealed });
        dropRecent.run();
        dropGone.run();
        running = undefined;
        gone = new Set();
        live ??= countLive.get()!;
        if (listed.get()! - live > Math.max(enough / 2, live * SHARE_OF_GONE)) sweep = postingSweep(db);
        return sweep !== undefined;
      }
      return true;
    },
    reset() {
      appender.reset();
      sealed = state.get()!;
      gone = new Set();
      live = undefined;
      running = undefined;
      sweep = undefined;
    },
  };
}
