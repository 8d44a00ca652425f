import Database from 'better-sqlite3';
import { existsSync, renameSync } from 'node:fs';
import { project } from '../../src/pages/index.ts';
import { accessClasses } from '../../src/storage/sqlite/index/classes.ts';
import { pageWriter } from '../../src/storage/sqlite/index/page-writer.ts';
import { addSqlFunctions } from '../../src/storage/sqlite/index/sql-functions.ts';
import { INDEX_TABLES, SLOT_BITS } from '../../src/storage/sqlite/index/tables.ts';
import { cpuSeconds } from './stats.ts';
import type { SearchCorpus } from './search-corpus.ts';

const BLOCKS_OF_PAGE = 4;
const SKILLS = 10;
const PAGES_AT_ONCE = 500;

export const pageOf = (block: number): string =>
  `markdown/instances/s${skillOf(block)}/p${Math.floor(block / BLOCKS_OF_PAGE)}.md`;
/** Pages of the last skill are hidden from the one who asks. */
export const isHidden = (block: number): boolean => skillOf(block) === SKILLS - 1;
const skillOf = (block: number): number => Math.floor(block / BLOCKS_OF_PAGE) % SKILLS;

export interface Filled {
  readonly path: string;
  readonly allowed: readonly number[];
  /** Null for one that was there. */
  readonly cpuMsOfPage: number | null;
}

/** An index as the server keeps it, of so many blocks, written by the server's own writer; one that is there is used again. */
export function fillIndex(path: string, corpus: SearchCorpus, blocks: number): Filled {
  const cpuMsOfPage = existsSync(path) ? null : filled(path, part => writeIndex(part, corpus, blocks));
  const db = new Database(path, { readonly: true });
  const classes = accessClasses(db, () => undefined).all();
  db.close();
  return { path, allowed: classes.flatMap(one => (one.skill === `s${SKILLS - 1}` ? [] : [one.id])), cpuMsOfPage };
}

/** Writes a file under another name first, so that what is there is whole. */
function filled<T>(path: string, write: (part: string) => T): T {
  const written = write(`${path}.part`);
  renameSync(`${path}.part`, path);
  return written;
}

/** CPU milliseconds a page. */
function writeIndex(path: string, corpus: SearchCorpus, blocks: number): number {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.exec(INDEX_TABLES);
  addSqlFunctions(db);
  const classes = accessClasses(db, () => undefined);
  const pages = pageWriter(
    db,
    classes,
    () => [],
    () => undefined,
  );
  let cpu = 0;
  const count = Math.ceil(blocks / BLOCKS_OF_PAGE);
  for (let from = 0; from < count; from += PAGES_AT_ONCE) {
    const derived = Array.from({ length: Math.min(PAGES_AT_ONCE, count - from) }, (_, at) => {
      const first = (from + at) * BLOCKS_OF_PAGE;
      const texts = Array.from({ length: Math.min(BLOCKS_OF_PAGE, blocks - first) }, (__, n) =>
        corpus.block(first + n),
      );
      const skill = `s${skillOf(first)}`;
      const header = `type: instance\nskill: ${skill}\nid: p${from + at}\ntitle: "${texts[0]!.title}"\n`;
      const content = `---\n${header}---\n\n${texts.map(text => text.body).join('\n\n')}\n`;
      const pageId = pageOf(first);
      return { pageId, projection: project(pageId, content) };
    });
    const started = cpuSeconds();
    db.exec('BEGIN');
    for (const [at, one] of derived.entries()) {
      pages.write({
        ...one,
        seq: from + at + 1,
        version: 1,
        sha256: '',
        author: null,
        origin: 'import',
        firstAt: '',
        committedAt: '',
        archived: false,
      });
    }
    pages.step();
    db.exec('COMMIT');
    cpu += cpuSeconds() - started;
  }
  const started = cpuSeconds();
  while (pages.step());
  cpu += cpuSeconds() - started;
  db.close();
  return (cpu / count) * 1000;
}

/** The same texts in a bare FTS5 table, asked for any of the words by bm25, with the same filter; one that is there is used again. */
export function fillBare(
  path: string,
  corpus: SearchCorpus,
  blocks: number,
): { ask(words: readonly string[]): string[]; close(): void } {
  if (!existsSync(path)) filled(path, part => writeBare(part, corpus, blocks));
  const db = new Database(path, { readonly: true });
  const ask = db
    .prepare<[string], string>(
      `SELECT p.page_id FROM fts f CROSS JOIN page p ON p.page_no = f.rowid >> ${SLOT_BITS}
       WHERE f.fts MATCH ? AND p.hidden = 0 ORDER BY f.rank LIMIT 10`,
    )
    .pluck();
  return {
    ask: words => (words.length === 0 ? [] : ask.all(words.map(word => `"${word.replaceAll('"', '')}"`).join(' OR '))),
    close: () => db.close(),
  };
}

function writeBare(path: string, corpus: SearchCorpus, blocks: number): void {
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.exec(`CREATE TABLE page (page_no INTEGER PRIMARY KEY, page_id TEXT NOT NULL, hidden INTEGER NOT NULL);
    CREATE VIRTUAL TABLE fts USING fts5(title, body, content = '', tokenize = 'unicode61 remove_diacritics 2');`);
  const page = db.prepare<[number, string, number]>('INSERT OR IGNORE INTO page VALUES (?, ?, ?)');
  const text = db.prepare<[number, string, string]>('INSERT INTO fts (rowid, title, body) VALUES (?, ?, ?)');
  db.exec('BEGIN');
  for (let n = 0; n < blocks; n++) {
    const { title, body } = corpus.block(n);
    const pageNo = Math.floor(n / BLOCKS_OF_PAGE) + 1;
    page.run(pageNo, pageOf(n), isHidden(n) ? 1 : 0);
    text.run(pageNo * 2 ** SLOT_BITS + (n % BLOCKS_OF_PAGE), title, body);
  }
  db.exec(`COMMIT; INSERT INTO fts (fts) VALUES ('optimize')`);
  db.close();
}
