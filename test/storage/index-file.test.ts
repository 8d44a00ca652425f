import Database from 'better-sqlite3';
import fc from 'fast-check';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { project } from '../../src/pages/index.ts';
import type { Project } from '../../src/pages/ports.ts';
import type { BlockText } from '../../src/search/index.ts';
import { docWriter } from '../../src/storage/sqlite/lexical/doc-writer.ts';
import { postingReader } from '../../src/storage/sqlite/lexical/posting-reader.ts';
import { snapshot } from '../../src/storage/sqlite/lexical/snapshot.ts';
import { LEXICAL_TABLES } from '../../src/storage/sqlite/lexical/tables.ts';
import { note, openWorld, put, tempFolder, type World } from './world.ts';

let folder: string;
let dataDir: string;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  dataDir = join(folder, 'data');
  file = join(dataDir, 'index.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pageId = (id: string): string => `markdown/instances/note/${id}.md`;

async function plant(count: number): Promise<void> {
  const { storage } = await openWorld({}, dataDir);
  const ids = Array.from({ length: count }, (_, n) => `n${n}`);
  await storage.pages.commit({ puts: ids.map(id => put(pageId(id), note(id, `text of ${id} [[note::n0]]`))) });
  await storage.pages.commit({ puts: [put(pageId('n1'), note('n1', 'changed words'), 1)] });
  await storage.close();
}

/** What a look into the planted pages finds; `whole(count)` is what it must be. */
async function lookInto({ storage: { index, lexical } }: World) {
  const query = {
    skill: 'note',
    order: 'page_id',
    limit: 10_000,
    after: null,
    equals: null,
    clauses: [],
    scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
    asOf: null,
    scenario: null,
  } as const;
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  const found = async (...words: string[]): Promise<string[]> =>
    (await lexical.search([{ words }], filter, 10_000)).map(hit => hit.pageId);
  return {
    instances: (await index.instances(query)).length,
    version: (await index.page(pageId('n1')))?.version,
    links: (await index.linksTo('n0', ['note'])).length,
    once: await index.once.linked('n0', ['note'], ''),
    changed: await found('changed', 'words'),
    others: (await found('text')).length,
  };
}
const whole = (count: number) => ({
  instances: count,
  version: 2,
  links: count - 1,
  once: [pageId('n1')],
  changed: [pageId('n1')],
  others: count - 1,
});

const losses: [string, () => void][] = [
  ['is missing', () => rmSync(file)],
  ['is no database', () => writeFileSync(file, 'rubbish '.repeat(2000))],
  ['is cut short', () => writeFileSync(file, '')],
  ['has another schema', () => edit('PRAGMA user_version = 77')],
  ['belongs to another history', () => edit(`UPDATE progress SET applied_sha = 'other'`)],
  ['knows commits that are not there', () => edit('UPDATE progress SET applied_seq = applied_seq + 5')],
];

function edit(sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

test.each(losses)('[DS53] E029 an index that %s is made anew', async (_, lose) => {
  await plant(20);
  lose();
  const world = await openWorld({}, dataDir);
  expect(await lookInto(world)).toEqual(whole(20));
  await world.storage.close();
  const again = await openWorld({}, dataDir);
  expect(await lookInto(again)).toEqual(whole(20));
  await again.storage.close();
});

test('[DS53] nobody reads from a large new index before it is whole; commits go on meanwhile', async () => {
  await plant(700);
  rmSync(file);
  const world = await openWorld({}, dataDir);
  expect(world.storage.up()).toBe(false);
  const early = world.storage.index.page(pageId('n699'));
  const commits = Array.from({ length: 20 }, (_, n) =>
    world.storage.pages.commit({
      puts: [put(pageId(`n${n * 30 + 2}`), note(`n${n * 30 + 2}`, 'text again [[note::n0]]'), 1)],
    }),
  );
  expect(await early).toMatchObject({ version: 1 });
  expect((await Promise.all(commits)).every(result => result.committed)).toBe(true);
  expect(await lookInto(world)).toEqual(whole(700));
  expect(world.storage.up()).toBe(true);
  expect(await world.storage.index.page(pageId('n32'))).toMatchObject({ version: 2 });
  await world.storage.close();
});

test('[DS53] a fill that was cut short goes on at the next start', async () => {
  await plant(700);
  rmSync(file);
  const first = await openWorld({}, dataDir);
  const reading = first.storage.index.page(pageId('n1'));
  await first.storage.close();
  await expect(reading).rejects.toThrow('closed');
  const second = await openWorld({}, dataDir);
  expect(second.storage.up()).toBe(false);
  expect(await lookInto(second)).toEqual(whole(700));
  await second.storage.close();
});

test('[DS53] rows of other code are derived again while they are read', async () => {
  await plant(50);
  edit(`UPDATE page SET title = 'as the other code had it'; UPDATE progress SET build = 'another'`);
  const world = await openWorld({}, dataDir);
  expect(world.storage.up()).toBe(true);
  expect(await world.storage.index.page(pageId('n49'))).toMatchObject({ title: 'as the other code had it' });
  await expect.poll(async () => (await world.storage.index.page(pageId('n49')))?.title).toBe('n49');
  expect(await lookInto(world)).toEqual(whole(50));
  await world.storage.close();
  const again = await openWorld({}, dataDir);
  expect(again.log.filter(line => line.msg.includes('filling'))).toEqual([]);
  await again.storage.close();
});

test('[DS53] an older copy of the index catches up', async () => {
  await plant(5);
  copyFileSync(file, `${file}.old`);
  const world = await openWorld({}, dataDir);
  await world.storage.pages.commit({ puts: [put(pageId('late'), note('late', 'text late [[note::n0]]'))] });
  await world.storage.close();
  copyFileSync(`${file}.old`, file);
  const again = await openWorld({}, dataDir);
  expect(await lookInto(again)).toEqual(whole(6));
  await again.storage.close();
});

test('[DS53] a page that cannot be derived any more is left out and logged, the others are there', async () => {
  await plant(10);
  rmSync(file);
  const failing: Project = (id, content) => {
    if (id === pageId('n3')) throw new Error('planted');
    return project(id, content);
  };
  const world = await openWorld({ project: failing }, dataDir);
  expect(await world.storage.index.page(pageId('n3'))).toBeUndefined();
  expect(await world.storage.index.page(pageId('n4'))).toBeDefined();
  expect(world.log.filter(line => line.page_id === pageId('n3'))).not.toEqual([]);
  await world.storage.close();
});

test('[DS36] after any series of writes the word index is that of the blocks, and anchors keep their block ids', async () => {
  const block = fc.record({
    anchor: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    word: fc.constantFrom('eins', 'zwei', 'drei', 'vier'),
  });
  const version = fc.record({
    title: fc.constantFrom('Erste', 'Zweite'),
    archived: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
    heading: fc.constantFrom('', '# Oben\n\n'),
    blocks: fc.uniqueArray(block, { selector: ({ anchor }) => anchor, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 8 }), async versions => {
      const world = await openWorld({}, join(tempFolder(), 'data'));
      const index = new Database(join(world.dataDir, 'index.sqlite'), { readonly: true });
      let before = new Map<string, number>();
      for (const [base, { title, archived, heading, blocks }] of versions.entries()) {
        const text = heading + blocks.map(({ anchor, word }) => `${word} ^${anchor}`).join('\n\n');
        const content = note('p', text, `title: ${title}\n${archived ? 'archived: true\n' : ''}`);
        await world.storage.pages.commit({ puts: [put(pageId('p'), content, base, { origin: 'external' })] });
        // The writer commits the index a little later.
        const now = await settledBlocks(index, base + 1, archived);
        const moved = [...now].filter(([anchor, id]) => (before.get(anchor) ?? id) !== id);
        expect(moved).toEqual([]);
        before = now;
      }
      index.close();
      await world.storage.close();
      const { kept, fresh, blocks, counted } = wordsIn(world.dataDir);
      expect(kept).toEqual(fresh);
      expect(counted).toBe(blocks);
      rmSync(join(world.dataDir, '..'), { recursive: true });
    }),
    { numRuns: 8 },
  );
});

async function settledBlocks(
  index: Database.Database,
  version: number,
  archived: boolean,
): Promise<Map<string, number>> {
  const current = (): number | undefined =>
    index.prepare<[], { version: number }>('SELECT version FROM page').get()?.version;
  await expect.poll(current, { interval: 10 }).toBe(archived ? undefined : version);
  const rows = index.prepare<[], { anchor: string; block_id: number }>('SELECT anchor, block_id FROM block').all();
  return new Map(rows.map(row => [row.anchor, row.block_id]));
}

/** The words of the index, and of one that is made at once from the same blocks. */
function wordsIn(dir: string) {
  const db = new Database(join(dir, 'index.sqlite'));
  const fresh = new Database(':memory:');
  fresh.exec(LEXICAL_TABLES);
  const writer = docWriter(fresh);
  const rows = db
    .prepare<[], BlockRow>(
      `SELECT b.block_id, p.title, iif(b.ord = 0, p.skill || '::' || p.slug, '') AS name, iif(b.ord = 0, p.description, '') AS description,
         (SELECT coalesce(group_concat(value, char(10)), '') FROM json_each(b.headings)) AS headings, b.content AS body
       FROM block b JOIN page p ON p.page_no = b.block_id >> 24`,
    )
    .all();
  for (const { block_id, ...text } of rows) writer.put(block_id, text, { accessClass: 0, overlay: false });
  const counts = db
    .prepare<[], { blocks: number; counted: number }>(
      'SELECT count(*) AS blocks, (SELECT blocks FROM progress) AS counted FROM block',
    )
    .get()!;
  const words = { kept: postingsOf(db), fresh: postingsOf(fresh), ...counts };
  db.close();
  fresh.close();
  return words;
}

interface BlockRow extends BlockText {
  block_id: number;
}

/** Every word with the blocks it is in and its weight there. */
function postingsOf(db: Database.Database): string[] {
  const docs = snapshot(db);
  docs.refresh();
  const postings = postingReader(db, docs);
  const terms = db.prepare<[], { term_id: number; term: string }>('SELECT term_id, term FROM term ORDER BY term').all();
  return terms.flatMap(({ term_id, term }) => {
    const list = postings.read(term_id);
    return Array.from(list.docs.subarray(0, list.size), (doc, at) => ({ doc, weight: list.weights[at] }))
      .filter(({ doc }) => docs.docs.marks[doc] !== 0)
      .map(({ doc, weight }) => `${term} ${docs.docs.blockIds[doc]} ${weight}`)
      .sort();
  });
}
