import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import { encodeDelta, applyDelta } from './delta.ts';
import type { GroupCommit } from './group-commit.ts';
import { LONGEST_CHAIN, versionTexts, type TextRow } from './version-text.ts';

/**
 * Version n is stored against version n + s, where s is the largest power of this that divides n: most against the next one,
 * every sixteenth against the sixteenth after it, and so on; until that one is there, against the next one. A read then takes
 * at most thirty deltas for each such step.
 */
const STRIDE = 16;
const SOON_MS = 200;
const ROWS_AT_ONCE = 200;
/** So many commits at most are looked at again after a crash, where they gave nothing to do. */
const MOST_UNSAVED = 2000;
/** Characters compared in one go, so that the event loop answers others in between. */
const CHARS_AT_ONCE = 512 * 1024;

export interface Compactor {
  /** To be called after commits: soon afterwards their older versions shrink. */
  wake(): void;
  stop(): Promise<void>;
}

export interface CompactorParts {
  readonly db: Db;
  /** Sees durable commits only. */
  readonly view: Db;
  readonly group: GroupCommit;
  readonly onWritten: () => void;
  readonly log: Log;
}

interface Change {
  readonly seq: number;
  readonly of: number;
  readonly delta: string;
}

interface Version extends TextRow {
  readonly seq: number;
  readonly version: number;
}

/**
 * Replaces the texts of superseded versions by what makes them out of newer ones. A commit waits for none of it, and what a
 * crash cuts short is done again: until its transaction is in, the whole text is there.
 */
export function compactor({ db, view, group, onWritten, log }: CompactorParts): Compactor {
  const texts = versionTexts(view);
  const cursor = view.prepare<[], number>('SELECT seq FROM compaction').pluck();
  const commits = view.prepare<[number], { seq: number; page_id: string; version: number }>(
    `SELECT seq, page_id, version FROM page_version WHERE seq > ? ORDER BY seq LIMIT ${ROWS_AT_ONCE}`,
  );
  const version = view.prepare<[string, number], Version>(
    'SELECT seq, version, sha256, content, delta_of FROM page_version WHERE page_id = ? AND version = ?',
  );
  // The page may have moved on, or gone, since it was looked at. Texts never change, so a delta that was right stays right; and
  // with a newer version of the page there, this one is not the newest, which is always whole.
  const shrink = db.prepare<[Change]>(
    `UPDATE page_version SET content = :delta, delta_of = :of
     WHERE seq = :seq AND EXISTS (SELECT 1 FROM page_version t WHERE t.seq = :of AND t.page_id = page_version.page_id
         AND t.version > page_version.version)`,
  );
  const advance = db.prepare<[number]>('UPDATE compaction SET seq = ?');
  const save = db.transaction((changes: readonly Change[], upTo: number) => {
    for (const change of changes) shrink.run(change);
    advance.run(upTo);
  });
  let saved = cursor.get()!;
  let seen = saved;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function changeOf(older: Version, newer: Version): Change[] {
    if (texts.depth(newer) >= LONGEST_CHAIN) return [];
    const [against, text] = [texts.of(newer), texts.of(older)];
    const delta = encodeDelta(against, text);
    if (delta.length * 2 > text.length || applyDelta(against, delta) !== text) return [];
    return [{ seq: older.seq, of: newer.seq, delta }];
  }

  const mayGoOn = (): boolean => !stopped && !group.broken();

  async function run(): Promise<void> {
    for (let full = true; full && mayGoOn();) {
      const rows = commits.all(seen);
      full = rows.length === ROWS_AT_ONCE;
      const last = rows.at(-1);
      if (!last) return saved < seen ? remember([], seen) : undefined;
      const changes: Change[] = [];
      let chars = 0;
      for (const row of rows) {
        for (const number of storedAgainst(row.version)) {
          const [older, newer] = [version.get(row.page_id, number), version.get(row.page_id, row.version)];
          if (!older || !newer) continue;
          chars += older.content.length + newer.content.length;
          changes.push(...changeOf(older, newer));
          if (chars < CHARS_AT_ONCE) continue;
          chars = 0;
          await turn();
        }
      }
      if (changes.length > 0 || last.seq - saved >= MOST_UNSAVED) await remember(changes, last.seq);
      seen = last.seq;
      await turn();
    }
    // Looks once more: where nothing followed, that is remembered too.
    if (saved < seen) wake();
  }

  async function remember(changes: readonly Change[], upTo: number): Promise<void> {
    await group.between(() => {
      if (!group.broken()) save(changes, upTo);
    });
    saved = upTo;
    if (changes.length > 0) onWritten();
  }

  function wake(): void {
    if (!stopped) timer ??= setTimeout(start, SOON_MS).unref();
  }

  function start(): void {
    timer = undefined;
    running = (running ?? Promise.resolve())
      .then(run)
      .catch(error => log.error({ err: error }, 'older versions could not be made smaller'));
  }

  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Which older versions are stored against this one, be it for now. */
function* storedAgainst(version: number): Generator<number> {
  if (version > 1) yield version - 1;
  for (let step = STRIDE; version - step > 0; step *= STRIDE) {
    const older = version - step;
    if (older % step === 0 && older % (step * STRIDE) !== 0) yield older;
  }
}
