import { setTimeout as pause } from 'node:timers/promises';
import type { Analysis } from '../../../../rules/search/lexical/index.ts';
import type { Db } from '../connect.ts';
import { seqOf } from '../version-rows.ts';
import { abandonNext, FILLED, filling, type Filling } from './filling.ts';
import { readingsOf, type Readings } from './reading.ts';
import { hasRetired, removeRetired } from './retired.ts';
import { generationRows, type IndexedVersion } from './rows.ts';

/** How tables that another build of the analysis filled are filled anew. */
export interface FillingPace {
  /** Scopes of so many rules are done at once; the tables of larger ones are filled beside the old ones. */
  readonly atOnce: number;
  /** Milliseconds of one step. As long as it took, others have their turn. */
  readonly stepMs: number;
}
export const PACE: FillingPace = { atOnce: 200, stepMs: 4 };
/** After a step failed, e.g. for want of space. */
const RETRY_MS = 30_000;

/** The lexical tables of a scope, on the one connection that writes. */
export interface ScopeLexical extends Readings {
  /** Puts a version in the place of what is indexed of its rule; within the transaction that made it. */
  replace(version: IndexedVersion): void;
  remove(ruleId: string): void;
  /** Share of the rules that new tables have, 0 to 1; null when nothing is being filled. */
  progress(): number | null;
}

/** Hears how filling goes: a share in steps of a tenth, 1 once the tables are in use, or why a step failed. */
export type HearFilling = (heard: { readonly filled: number } | { readonly failed: unknown }) => void;

/**
 * Keeps the lexical tables in step with the rules (contract 4.1). Tables of another build are filled anew: in small scopes at
 * once, in others beside the ones in use, a few milliseconds each step, while searches and writes go on. A process that dies
 * leaves them as far as they are, and the next goes on from there.
 */
export function scopeLexical(db: Db, analysis: Analysis, pace: FillingPace, hear: HearFilling): ScopeLexical {
  const readings = readingsOf(db, analysis);
  const live = generationRows(db, 'lex');
  let next: Filling | undefined;
  if (isEmpty(db)) db.prepare(FILLED).run(analysis.build);
  if (readings.now().analysis === analysis) abandonNext(db);
  else next = filling(db, analysis, readings.now().tables === 'lex');

  function* work(): Generator<void> {
    let told = -1;
    while (next) {
      const filled = Math.floor(next.progress() * 10) / 10;
      if (filled > told && filled < 1 && !isSmall) hear({ filled });
      told = Math.max(told, filled);
      if (next.step(isSmall ? Infinity : pace.stepMs) && next.swap()) {
        next = undefined;
        if (!isSmall) hear({ filled: 1 });
      }
      yield;
    }
    yield* removeRetired(db);
  }

  const isSmall = db.prepare('SELECT 1 FROM rule LIMIT 1 OFFSET ?').get(pace.atOnce) === undefined;
  if (next || hasRetired(db)) {
    if (isSmall) for (const _ of work());
    else void inTurns(db, work, hear);
  }

  const remove = (ruleId: string): void => {
    if (readings.now().tables === 'lex') live.remove(ruleId);
    next?.rows.remove(ruleId);
  };
  return {
    ...readings,
    remove,
    replace(version) {
      remove(version.ruleId);
      const { tables, analysis: own } = readings.now();
      if (tables === 'lex') live.insert(version, own.textsOf(version), own.settings.features.trigram);
      if (next && seqOf(version.ruleId) <= next.upTo())
        next.rows.insert(version, analysis.textsOf(version), analysis.settings.features.trigram);
    },
    progress: () => next?.progress() ?? null,
  };
}

const isEmpty = (db: Db): boolean => db.prepare('SELECT 1 FROM rule LIMIT 1').get() === undefined;

/** Takes one step after the other, with a rest as long as the step between them, until the work is done or the file closed. */
async function inTurns(db: Db, work: () => Generator<void>, hear: HearFilling): Promise<void> {
  let steps = work();
  let rest = 0;
  for (;;) {
    await pause(rest, undefined, { ref: false });
    if (!db.open) return;
    const began = performance.now();
    try {
      if (unsynced(db, () => steps.next().done)) return;
      rest = performance.now() - began;
    } catch (failed) {
      hear({ failed });
      steps = work();
      rest = RETRY_MS;
    }
  }
}

/** What can be filled again need not be on the disk before it goes on. Nothing that anybody waits for is written meanwhile. */
function unsynced<T>(db: Db, write: () => T): T {
  db.pragma('synchronous = NORMAL');
  try {
    return write();
  } finally {
    db.pragma('synchronous = FULL');
  }
}
