import Database from 'better-sqlite3';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type World } from '../world.ts';

const SKILL = 'markdown/skills/note.md';
const at = (id: string): string => `markdown/instances/note/${id}.md`;
const CLEAN = { markdown_not_in_duckdb: [], indexed_but_no_markdown: [] };
const ids = (hits: { page_id: string }[]): string[] => hits.map(hit => hit.page_id).sort();

let w: World;
beforeEach(async () => {
  // What an audit finds must still be there when it is made.
  w = await world({}, undefined, false);
  await w.put({
    [SKILL]: skillPage('note'),
    [at('a')]: instancePage('note', 'a', {}, 'Alpha kraken [[note::b]].\n'),
    [at('b')]: instancePage('note', 'b', {}, 'Beta kraken.\n'),
    [at('gone')]: instancePage('note', 'gone', {}, 'Gone kraken.\n'),
  });
  await w.admin.call('delete_page', { page_id: at('gone') });
  await w.settled();
});
afterEach(() => w.end());

const file = (pageId: string): string => join(w.dataDir, pageId);
const audit = () => w.admin.call('admin_audit');
const rebuild = () => w.admin.call('rebuild', { tenant_id: '' });
const found = async () => ids((await w.admin.call('search', { q: 'kraken', granularity: 'page' })).hits);
const drift = async (): Promise<string[]> => {
  const text = await (await fetch(`${w.url}/metrics`)).text();
  return text
    .split('\n')
    .filter(line => line.startsWith('escurel_audit_drift{'))
    .map(line => line.replace(/^.*category=/, ''))
    .sort();
};

/** Changes index.sqlite while the server is down. */
async function damage(sql: string): Promise<void> {
  await w.stop();
  const db = new Database(join(w.dataDir, 'index.sqlite'));
  db.exec(sql);
  db.close();
  await w.restart();
  await w.settled();
}

describe('admin_audit', () => {
  test('[AD12] finds nothing on a healthy server, nor right after writes', async () => {
    expect(await audit()).toEqual(CLEAN);
    const writes = Array.from({ length: 40 }, (_, n) => w.put({ [at(`n${n}`)]: instancePage('note', `n${n}`) }));
    const audits = [audit(), audit()];
    await Promise.all(writes);
    expect(await Promise.all([...audits, audit()])).toEqual([CLEAN, CLEAN, CLEAN]);
  });

  test('[AD12] names files that are gone, changed or new, sorted', async () => {
    rmSync(file(at('b')));
    rmSync(file(SKILL));
    appendFileSync(file(at('a')), 'more\n');
    writeFileSync(file(at('0new')), instancePage('note', '0new'));
    expect(await audit()).toEqual({
      markdown_not_in_duckdb: [at('0new'), at('a')],
      indexed_but_no_markdown: [at('b'), SKILL],
    });
  });

  test('[AD12] names pages that the index lost, holds in an old text, or made up', async () => {
    await damage(
      `DELETE FROM page WHERE page_id = '${at('a')}';
       UPDATE page SET sha256 = 'old' WHERE page_id = '${at('b')}';
       INSERT INTO page (page_id, version, seq, sha256, page_type, skill, title, description, access_class, first_at, updated_at, frontmatter)
         SELECT 'markdown/ghost.md', 1, 999999, 'x', page_type, skill, title, description, access_class, first_at, updated_at, frontmatter
         FROM page WHERE page_id = '${at('b')}';`,
    );
    expect(await audit()).toEqual({
      markdown_not_in_duckdb: [at('a'), at('b')],
      indexed_but_no_markdown: ['markdown/ghost.md'],
    });
  });

  test('[AD13] archived pages are fine with and without their file', async () => {
    expect(readFileSync(file(at('gone')), 'utf8')).toContain('archived: true');
    rmSync(file(at('gone')));
    expect(await audit()).toEqual(CLEAN);
  });

  test('[AD13] tells of markdown that cannot become a page, and of no other file', async () => {
    writeFileSync(file(at('bytes')), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(file('markdown/picture.png'), 'x');
    await rebuild();
    expect(await audit()).toEqual({ ...CLEAN, markdown_not_in_duckdb: [at('bytes')] });
  });

  test('[AD14] sets the metric, and sets it back', async () => {
    rmSync(file(at('a')));
    rmSync(file(at('b')));
    await audit();
    expect(await drift()).toEqual(['"indexed_but_no_markdown"} 2', '"markdown_not_in_duckdb"} 0']);
    await rebuild();
    await audit();
    expect(await drift()).toEqual(['"indexed_but_no_markdown"} 0', '"markdown_not_in_duckdb"} 0']);
  });
});

describe('rebuild', () => {
  test('[AD15] counts every page, archived ones included', async () => {
    const { total } = await rebuild();
    const rows = (await w.admin.call('admin_index_query', { table: 'pages' })).rows.length;
    expect(await rebuild()).toEqual({ done: rows + 1, total, current_page: '' });
  });

  test('[AD15] takes in files that were changed, and archives pages whose files are gone', async () => {
    rmSync(file(at('b')));
    writeFileSync(file(at('new')), instancePage('note', 'new', {}, 'New kraken.\n'));
    writeFileSync(file(at('a')), instancePage('note', 'a', {}, 'Nothing.\n'));
    await rebuild();
    expect(await audit()).toEqual(CLEAN);
    expect(await found()).toEqual([at('new')]);
    expect(existsSync(file(at('b')))).toBe(false);
  });

  test.each([
    ['pages are gone', `DELETE FROM page`],
    ['words are gone', `DELETE FROM doc; DELETE FROM recent_doc`],
    ['words are wrong', `UPDATE doc SET block_id = block_id + 500000000000, doc_no = doc_no + 5000`],
    ['blocks are wrong', `UPDATE block SET content = 'nothing', anchor = 'x' || block_id`],
    ['blocks are gone', `DELETE FROM block`],
    ['links are gone', `DELETE FROM link`],
    [
      'links are made up',
      `INSERT INTO link SELECT page_no, ord + 9, src_anchor, src_field, link_skill, 'a', NULL, NULL FROM link`,
    ],
    ['rows are wrong', `UPDATE page SET title = 'x', frontmatter = '{}', skill = 'other', slug = NULL`],
    [
      'a page is made up',
      `INSERT INTO page SELECT page_no + 900, 'markdown/' || page_no, 1, seq + 900000, 'x', page_type, slug || 'x', skill, title, description, at, scenario, access_class, credential, last_written_by, first_at, updated_at, frontmatter FROM page`,
    ],
  ])('[AD15] mends an index whose %s', async (_, sql) => {
    const fresh = await everything();
    await rebuild();
    const before = await everything();
    expect(before).toMatchObject({ rows: fresh.rows, found: fresh.found });
    await damage(sql);
    expect(await everything()).not.toEqual(before);
    await rebuild();
    expect(await everything()).toEqual(before);
    expect(await audit()).toEqual(CLEAN);
  });

  /** All that the index answers, without its own row numbers. */
  async function everything() {
    const tables = ['pages', 'blocks', 'links'].map(table => w.admin.call('admin_index_query', { table, limit: 1000 }));
    const rows = (await Promise.all(tables)).map(payload =>
      payload.rows.map((row: object) => ({ ...row, block_id: 0 })),
    );
    const db = new Database(join(w.dataDir, 'index.sqlite'), { readonly: true });
    const words = db.prepare('SELECT count(*) AS n FROM doc').get();
    db.close();
    return { rows, words, found: await found() };
  }

  test('[AD16] goes on answering and taking writes meanwhile', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [
        at(`p${n}`),
        instancePage('note', `p${n}`, {}, `Many${n % 3} [[note::a]].\n`),
      ]),
    );
    await w.admin.call('tenant_update', { quotas: { writes_per_minute: 1_000_000, queries_per_minute: 1_000_000 } });
    await w.put(pages);
    const running = [rebuild(), rebuild()];
    const state = { done: false };
    void Promise.all(running).then(() => (state.done = true));
    let reads = 0;
    for (; !state.done || reads === 0; reads++) {
      const n = reads % 150;
      expect((await w.admin.call('expand', { page_id: at(`p${n}`) })).page).not.toBeNull();
      const { hits } = await w.admin.call('search', { q: 'many1', granularity: 'page', k: 100 });
      expect(hits.length).toBe(50);
      await w.put({ [at(`w${reads}`)]: instancePage('note', `w${reads}`, {}, 'Written meanwhile.\n') });
    }
    const [one, two] = await Promise.all(running);
    expect(two).toEqual(one);
    expect(one.done).toBeGreaterThanOrEqual(150);
    expect(await audit()).toEqual(CLEAN);
    const { hits } = await w.admin.call('search', { q: 'meanwhile', granularity: 'page', k: 100 });
    expect(hits.length).toBe(Math.min(reads, 100));
  });

  test('[AD15, AD16] two rebuilds of one moment are one run', async () => {
    await Promise.all([rebuild(), rebuild(), rebuild()]);
    expect(w.logged.filter(line => line['msg'] === 'index rebuilt')).toHaveLength(1);
  });
});
