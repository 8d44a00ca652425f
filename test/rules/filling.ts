import { setImmediate as turn } from 'node:timers/promises';
import { createAnalysis, lexicalSettings, type Analysis } from '../../src/rules/search/lexical/index.ts';
import { world, type World, type WorldOptions } from './world.ts';

/** One rule a step: whatever a test does happens between two of them. */
export const SLOWLY = { atOnce: 0, stepMs: 0 };
export const AT_ONCE = { atOnce: Number.MAX_SAFE_INTEGER, stepMs: 0 };

export const analysisWith = (features: Record<string, boolean> = {}): Analysis =>
  createAnalysis(lexicalSettings({ features }));

/** The same folder after a restart with other settings. */
export function reopened(here: World, options: WorldOptions): World {
  here.close();
  return world({ folder: here.folder, ...options });
}

export const progressOf = (here: World): number | null => here.files.lexical('sales').progress();

/** Lets the filling go on until it came so far, and to its very end without a share. */
export async function filledTo(here: World, share?: number): Promise<void> {
  for (;;) {
    const now = progressOf(here);
    if (share === undefined ? now === null && leftOf(here).length === 0 : now === null || now >= share) return;
    await turn();
  }
}

/** Tables that are neither searched nor anything else's. */
export const leftOf = (here: World): unknown[] =>
  here.rows('sales', `SELECT name FROM sqlite_master WHERE name GLOB 'lex_old*' OR name GLOB 'lex_next*'`);

/** Everything that is searched. */
export const searchedRows = (here: World) => ({
  word: here.rows('sales', 'SELECT rowid, * FROM lex_word ORDER BY 1'),
  stem: here.rows('sales', 'SELECT rowid, * FROM lex_stem ORDER BY 1'),
  tri: here.rows('sales', 'SELECT rowid, * FROM lex_tri ORDER BY 1'),
  doc: here.rows('sales', 'SELECT * FROM lex_doc ORDER BY 1'),
  meta: here.rows('sales', 'SELECT build FROM lex_meta'),
});

/** What is searched after all of it was filled at once, by a process that does nothing else. */
export function asFilledAtOnce(here: World, analysis: Analysis) {
  const db = here.files.open('sales');
  db.exec('DELETE FROM lex_meta');
  const next = reopened(here, { analysis, pace: AT_ONCE });
  next.files.lexical('sales');
  const rows = searchedRows(next);
  next.close();
  return rows;
}

export const found = async (here: World, text: string, over: Record<string, unknown> = {}): Promise<string[]> =>
  (await here.do('searchRules', { scopes: ['sales'], text, include_proposals: true, ...over })).bundles.map(
    (one: { head: { ref: string } }) => one.head.ref,
  );
