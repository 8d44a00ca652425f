import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type World } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-seed-'));
let w: World;

beforeAll(async () => {
  mkdirSync(join(folder, 'instances/note'), { recursive: true });
  mkdirSync(join(folder, 'skills'));
  writeFileSync(join(folder, 'skills/note.md'), skillPage('note'));
  writeFileSync(join(folder, 'instances/note/a.md'), instancePage('note', 'a', {}, 'Planted.\n'));
  writeFileSync(join(folder, 'README.md'), '# No page\n');
  writeFileSync(join(folder, 'picture.png'), 'no text');
  w = await world({ CAIRN_SEED_DIR: folder });
});
afterAll(async () => {
  await w.end();
  rmSync(folder, { recursive: true });
});

const A = 'markdown/instances/note/a.md';

test('[PG71] a new tenant has the meta-skill with its nine sections', async () => {
  const { body, frontmatter, page } = await w.admin.call('expand', { page_id: 'markdown/skills/escurel.md' });
  expect(frontmatter).toMatchObject({ type: 'skill', id: 'escurel' });
  expect(body.match(/^## /gmu)).toHaveLength(9);
  expect(page.last_written_by).toBeNull();
});

test('[PG72] a seed folder becomes pages, what is no page is left out', async () => {
  expect((await w.admin.call('expand', { page_id: A })).body).toBe('Planted.\n');
  expect((await w.admin.call('list_skills')).skills.map((row: { id: string }) => row.id)).toEqual(['escurel', 'note']);
  expect((await w.admin.call('expand', { page_id: 'markdown/README.md' })).page).toBeNull();
  expect(w.logged.some(line => line['msg'] === 'seed file skipped' && line['file'] === 'README.md')).toBe(true);
});

test('[PG72] pages that are there stay as they are, also over a restart with another seed', async () => {
  await w.put({ [A]: instancePage('note', 'a', {}, 'Edited.\n') });
  writeFileSync(join(folder, 'instances/note/b.md'), instancePage('note', 'b', {}, 'Second.\n'));
  await w.restart();
  expect((await w.admin.call('expand', { page_id: A })).body).toBe('Edited.\n');
  expect((await w.admin.call('expand', { page_id: 'markdown/instances/note/b.md' })).body).toBe('Second.\n');
});

test('[PG71] a seed that brings its own meta-skill keeps it', async () => {
  const seed = mkdtempSync(join(tmpdir(), 'cairn-seed-meta-'));
  mkdirSync(join(seed, 'skills'));
  writeFileSync(join(seed, 'skills/house.md'), skillPage('escurel', {}, '## House\n'));
  const other = await world({ CAIRN_SEED_DIR: seed });
  const { page } = await other.admin.call('resolve', { wikilink: '[[skill::escurel]]' });
  expect(page.page_id).toBe('markdown/skills/house.md');
  expect((await other.admin.call('expand', { page_id: 'markdown/skills/escurel.md' })).page).toBeNull();
  await other.end();
  rmSync(seed, { recursive: true });
});
