import type { Clock } from '../../../kernel/clock.ts';
import type { Db } from '../database.ts';

const DAY_MS = 86_400_000;

/**
 * Counts texts that are about to be sent to a service, by day (UTC), so that a restart forgets nothing. Answers 0 when they may be
 * sent, else in how many milliseconds the next day begins.
 */
export function spending(db: Db, clock: Clock): (texts: number, perDay: number) => number {
  const select = db.prepare<[string], number>('SELECT texts FROM spent WHERE day = ?').pluck();
  const add = db.prepare<[string, number]>(
    'INSERT INTO spent (day, texts) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET texts = texts + excluded.texts',
  );
  const forget = db.prepare<[string]>('DELETE FROM spent WHERE day < ?');
  return (texts, perDay) => {
    const now = clock();
    const day = now.toISOString().slice(0, 10);
    if ((select.get(day) ?? 0) + texts > perDay) return DAY_MS - (now.getTime() % DAY_MS);
    forget.run(day);
    add.run(day, texts);
    return 0;
  };
}
