import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from './group-commit.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = DAY_MS / 4;
const PAGES_AT_ONCE = 100;

export interface Retention {
  stop(): Promise<void>;
}

export interface RetentionParts {
  readonly db: Db;
  /** Sees durable commits only. */
  readonly view: Db;
  readonly group: GroupCommit;
  readonly keepDays: number;
  readonly clock: Clock;
  readonly log: Log;
}

interface Due {
  readonly page_id: string;
  /** The newest version committed by the cut: what a read as of that moment shows. */
  readonly reached: number;
}

/**
 * Drops versions that were superseded more than `keepDays` ago, at start and four times a day. The newest version stays
 * however old it is, and so does the one that was current at the cut: every moment since then is still answered.
 */
export function startRetention({ db, view, group, keepDays, clock, log }: RetentionParts): Retention {
  const pages = view.prepare<[{ after: string; cut: string }], Due>(
    `SELECT h.page_id, coalesce((SELECT max(v.version) FROM page_version v
       WHERE v.page_id = h.page_id AND v.committed_at <= :cut), 0) AS reached
     FROM page_head h WHERE h.page_id > :after AND h.version > 1 ORDER BY h.page_id LIMIT ${PAGES_AT_ONCE}`,
  );
  // Older versions are stored against newer ones, never the other way round, so nothing that stays needs what goes. A page
  // may have moved since it was looked at; then its new id comes with the next round, and another page may be at the old one.
  const drop = db.prepare<[Due & { readonly cut: string }]>(
    `DELETE FROM page_version WHERE page_id = :page_id AND version < :reached AND EXISTS (
       SELECT 1 FROM page_version r WHERE r.page_id = :page_id AND r.version = :reached AND r.committed_at <= :cut)`,
  );
  const dropAll = db.transaction((due: readonly Due[], cut: string) =>
    due.map(one => ({ page_id: one.page_id, before: one.reached, dropped: drop.run({ ...one, cut }).changes })),
  );
  let stopped = false;
  let running: Promise<void> = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, EVERY_MS).unref();

  const mayGoOn = (): boolean => !stopped && !group.broken();

  async function run(): Promise<void> {
    try {
      await turn();
      await round(new Date(clock().getTime() - keepDays * DAY_MS).toISOString());
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'old versions could not be dropped');
    }
  }

  async function round(cut: string): Promise<void> {
    for (let after: string | null = ''; after !== null && mayGoOn();) {
      const seen: readonly Due[] = pages.all({ after, cut });
      const due = seen.filter(({ reached }) => reached > 1);
      const dropped = due.length > 0 && mayGoOn() ? await group.between(() => dropAll(due, cut)) : [];
      for (const one of dropped) {
        if (one.dropped > 0) log.info({ audit: 'history', cut, ...one }, 'old versions of a page dropped');
      }
      after = seen.length === PAGES_AT_ONCE ? seen.at(-1)!.page_id : null;
      await turn();
    }
  }

  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
