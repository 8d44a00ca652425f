import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planImport } from '../../src/cli/import/plan.ts';
import { readFolder } from '../../src/cli/import/read-folder.ts';
import { parsePage, splitHeader } from '../../src/pages/index.ts';

const VAULT = join(import.meta.dirname, 'vault');
const contents = await readFolder(VAULT);
const plan = planImport(contents.files, { unmapped: contents.unmapped });
const page = (from: string) => plan.pages.find(one => one.from === from)!;

test('[IM1] every note of the vault is a page that ends in the bytes of its file', () => {
  expect(plan.mapped).toHaveLength(10);
  for (const { path } of contents.files) {
    const bytes = readFileSync(join(VAULT, path));
    const body = Buffer.from(splitHeader(bytes.toString('utf8')).body, 'utf8');
    expect(Buffer.from(page(path).content, 'utf8').subarray(-body.length)).toEqual(body);
  }
});

test('[IM3, IM10] folders are skills, and each of them has a page', () => {
  expect(plan.skillsCreated).toEqual(['Leute', 'Projekte', 'Rezepte', 'Tagebuch', 'note']);
  expect(page('Projekte/Garten/Hochbeet.md').pageId).toBe('markdown/instances/Projekte/Garten/Hochbeet.md');
  expect(page('Willkommen.md').pageId).toBe('markdown/instances/note/Willkommen.md');
});

test('[IM5] headers of the vault keep what they say', () => {
  expect(page('Projekte/Garten/Hochbeet.md').content).toContain('# Maße in Zentimetern\nlänge: 200\nbreite: 80\n');
  expect(parsePage(page('Rezepte/Sauerteigbrot.md').content).frontmatter).toEqual({
    note_type: 'Rezept',
    note_id: 7,
    note_skill: ['backen', 'geduld'],
    title: 'Sauerteigbrot: das einfache',
    type: 'instance',
    skill: 'Rezepte',
    id: 'Sauerteigbrot',
  });
});

test('[IM7, IM12] links of the vault find their notes by name, by path, encoded and with anchors', () => {
  const { found, resolved, attachments, unresolved } = plan.links;
  expect({ found, resolved, attachments }).toEqual({ found: 16, resolved: 12, attachments: 1 });
  expect(unresolved.map(({ file, line, link }) => `${file}:${line} ${link}`)).toEqual([
    'Willkommen.md:3 [[Anna Beispiel|Anna]]',
    'Willkommen.md:7 [[Noch nicht geschrieben]]',
    'Tagebuch/2025-03-07.md:1 [[Anna Beispiel]]',
  ]);
});

test('[IM8] one name in two folders is reported with both files and both ids', () => {
  expect(plan.clashes).toEqual([
    {
      kind: 'same-name',
      files: ['Projekte/Garten/Übersicht.md', 'Projekte/Werkstatt/Übersicht.md'],
      ids: ['Projekte/Garten/Übersicht', 'Übersicht'],
    },
  ]);
});

test('[IM6] the header with a second colon is text, and the report says where', () => {
  const { content } = page('Rezepte/Menü Q3.md');
  expect(parsePage(content).body).toBe(readFileSync(join(VAULT, 'Rezepte/Menü Q3.md'), 'utf8'));
  expect(plan.remarks).toContainEqual({
    file: 'Rezepte/Menü Q3.md',
    message: expect.stringMatching(/^header kept as text, line 2 column \d+: /) as string,
  });
});

test('[IM11] what is no note is listed', () => {
  expect(plan.unmapped).toEqual([
    { file: '.obsidian/', reason: 'hidden' },
    { file: 'Anhänge/skizze.svg', reason: 'not markdown' },
  ]);
});
