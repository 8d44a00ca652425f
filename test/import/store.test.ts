import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openImporter } from '../../src/app/import.ts';
import { importFolder } from '../../src/cli/import/import-folder.ts';
import { settingsOfProcess } from '../../src/cli/settings.ts';
import type { Settings } from '../../src/kernel/settings/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-import-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function settings(): Settings {
  const reading = settingsOfProcess({ CAIRN_AUTH_MODE: 'open', CAIRN_DATA_DIR: join(root, 'data') });
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusals));
  return reading.settings;
}

function note(path: string, text: string): void {
  const full = join(root, 'notes', path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
}

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly pages: readonly { readonly page_id: string; readonly outcome: string; readonly reason?: string }[];
}

async function run(flags: { dryRun?: boolean; replace?: boolean; into?: string } = {}) {
  const stderr = { write: () => true };
  const options = { dryRun: false, replace: false, json: true, ...flags, settings: settings(), stderr };
  const { report, complete } = await importFolder(join(root, 'notes'), options);
  return { ...(JSON.parse(report) as Report), complete };
}

/** Hashes of what is stored, undefined where nothing is. */
async function stored(...pageIds: string[]): Promise<(string | undefined)[]> {
  const importer = await openImporter(settings());
  const heads = await Promise.all(pageIds.map(pageId => importer.existing(pageId)));
  await importer.close();
  return heads.map(head => head?.sha256);
}
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const A = 'markdown/instances/note/A.md';
const headed = (body: string): string => `---\ntype: instance\nskill: note\nid: A\ntitle: A\n---\n${body}`;

test('[IM1, IM13] what is imported is stored byte for byte, and a second import writes nothing', async () => {
  note('A.md', 'Ümläut\r\n\ttab  \n\n');
  note('P/B.md', '\ufeff# B');
  expect(await run()).toMatchObject({ summary: { created: 4 }, complete: true });
  expect(await stored(A)).toEqual([hash(headed('Ümläut\r\n\ttab  \n\n'))]);
  expect(await run()).toMatchObject({ summary: { created: 0, unchanged: 4 }, complete: true });
});

test('[IM13] a page that differs is left alone and reported; --replace writes a new version', async () => {
  note('A.md', 'old');
  await run();
  note('A.md', 'new');
  const second = await run();
  expect(second).toMatchObject({ summary: { unchanged: 1, differs: 1 }, complete: false });
  expect(second.pages).toContainEqual(
    expect.objectContaining({ page_id: A, outcome: 'differs', reason: expect.stringContaining('--replace') as string }),
  );
  expect(await stored(A)).toEqual([hash(headed('old'))]);
  expect(await run({ replace: true })).toMatchObject({ summary: { replaced: 1, unchanged: 1 }, complete: true });
  expect(await stored(A)).toEqual([hash(headed('new'))]);
});

test('[IM10] a skill page of the server is kept', async () => {
  const own = '---\ntype: skill\nid: note\n---\nMine\n';
  note('note.md', own);
  await run();
  rmSync(join(root, 'notes/note.md'));
  note('A.md', '');
  const { pages, complete } = await run({ replace: true });
  expect(pages).toContainEqual(expect.objectContaining({ page_id: 'markdown/skills/note.md', outcome: 'kept' }));
  expect(complete).toBe(true);
  expect(await stored('markdown/skills/note.md')).toEqual([hash(own)]);
});

test('[IM13] the meta-skill is never replaced', async () => {
  const page = '---\ntype: skill\nid: escurel\n---\n';
  note('escurel.md', `${page}one\n`);
  await run();
  note('escurel.md', `${page}two\n`);
  expect(await run({ replace: true })).toMatchObject({ summary: { differs: 1 }, complete: false });
  expect(await stored('markdown/skills/escurel.md')).toEqual([hash(`${page}one\n`)]);
});

test('[IM16] a page that the store refuses is reported, the others are stored', async () => {
  note('P/a.md', 'page');
  note('P/a.md.d/b.md', 'fine');
  const clashing = '---\ntype: instance\nskill: P\nid: x\n---\n';
  note('instances/P/a.md/x.md', clashing);
  const { pages, complete } = await run();
  expect(complete).toBe(false);
  const outcomes = Object.fromEntries(pages.map(({ page_id, outcome }) => [page_id, outcome]));
  expect(outcomes['markdown/instances/P/a.md.d/b.md']).toBe('created');
  expect([outcomes['markdown/instances/P/a.md'], outcomes['markdown/instances/P/a.md/x.md']].toSorted()).toEqual([
    'created',
    'refused',
  ]);
});

test('[IM14] a dry run makes no data folder', async () => {
  note('A.md', '');
  expect(await run({ dryRun: true })).toMatchObject({ summary: { files: 1, pages: 2 }, complete: true });
  expect(existsSync(join(root, 'data'))).toBe(false);
});

test('[IM11] a data folder inside the folder is left out', async () => {
  note('A.md', '');
  const inside = settingsOfProcess({ CAIRN_AUTH_MODE: 'open', CAIRN_DATA_DIR: join(root, 'notes/data') });
  expect(inside.ok).toBe(true);
  const options = { dryRun: false, replace: false, json: true, stderr: { write: () => true } };
  for (const created of [2, 0]) {
    const { report } = await importFolder(join(root, 'notes'), {
      ...options,
      settings: (inside as { settings: Settings }).settings,
    });
    expect((JSON.parse(report) as Report).summary).toMatchObject({ files: created === 2 ? 1 : 2, pages: 2, created });
  }
});

test('[IM3] --into must be a name for a skill, and the folder must be there', async () => {
  note('A.md', '');
  await expect(run({ into: 'a/b' })).rejects.toMatchObject({ code: 'import-skill-invalid' });
  rmSync(join(root, 'notes'), { recursive: true });
  await expect(run()).rejects.toMatchObject({ code: 'import-folder-unreadable' });
});
