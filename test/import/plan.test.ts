import { expect, test } from 'vitest';
import type { PlanOptions } from '../../src/cli/import/model.ts';
import { planImport } from '../../src/cli/import/plan.ts';
import { parsePage, project } from '../../src/pages/index.ts';

const plan = (files: Record<string, string>, options?: PlanOptions) =>
  planImport(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    options,
  );
const where = (files: Record<string, string>, options?: PlanOptions) =>
  Object.fromEntries(plan(files, options).mapped.map(({ file, pageId }) => [file, pageId]));
const ids = (files: Record<string, string>) => Object.fromEntries(plan(files).mapped.map(({ file, id }) => [file, id]));

test('[IM3] the first folder gives the skill, the rest of the path stays in the page id', () => {
  const files = { 'Top.md': '', 'Meeting Notes/2025/Kick-off.md': '', 'B/x.MARKDOWN': '' };
  expect(where(files)).toEqual({
    'Top.md': 'markdown/instances/note/Top.md',
    'Meeting Notes/2025/Kick-off.md': 'markdown/instances/Meeting_Notes/2025/Kick-off.md',
    'B/x.MARKDOWN': 'markdown/instances/B/x.md',
  });
  expect(where(files, { into: 'minutes' })).toEqual({
    'Top.md': 'markdown/instances/minutes/Top.md',
    'Meeting Notes/2025/Kick-off.md': 'markdown/instances/minutes/Meeting Notes/2025/Kick-off.md',
    'B/x.MARKDOWN': 'markdown/instances/minutes/B/x.md',
  });
});

test('[IM3] a skill named in the header of a note is its skill', () => {
  const { mapped, skillsCreated } = plan({ 'B/x.md': '---\nskill: book\n---\n' }, { into: 'minutes' });
  expect(mapped).toMatchObject([{ skill: 'book', pageId: 'markdown/instances/book/B/x.md' }]);
  expect(skillsCreated).toEqual(['book']);
});

test('[IM2] pages keep their text and go where pages lie', () => {
  const customer = '---\ntype: instance\nskill: customer\nid: a/b\n---\n';
  const skill = '---\ntype: skill\nid: customer\n---\n';
  const files = {
    'deep/down/any name.md': customer,
    'other.md': skill,
    'instances/customer/moved.md': customer.replace('a/b', 'c'),
    'markdown/skills/kept.md': skill.replace('customer', 'supplier'),
    'note.md': '---\ntype: skill\nid: escurel\n---\n',
  };
  expect(where(files)).toEqual({
    'deep/down/any name.md': 'markdown/instances/customer/a%2Fb.md',
    'other.md': 'markdown/skills/customer.md',
    'instances/customer/moved.md': 'markdown/instances/customer/moved.md',
    'markdown/skills/kept.md': 'markdown/skills/kept.md',
    'note.md': 'markdown/skills/escurel.md',
  });
  const contents = plan(files).pages.filter(({ from }) => from !== null);
  expect(contents.every(({ from, content }) => content === files[from as keyof typeof files])).toBe(true);
  expect(plan(files).skillsCreated).toEqual([]);
});

test('[IM2] a file in the place of a page that does not say what it is becomes one there', () => {
  const { mapped } = plan({ 'instances/customer/acme.md': 'Text' });
  expect(mapped).toMatchObject([{ skill: 'customer', id: 'acme', pageId: 'markdown/instances/customer/acme.md' }]);
});

test('[IM6] an exported page whose header cannot be read is kept, and stays closed', () => {
  const broken = '---\ntype: instance\nskill: customer\nacl: { read: [team] }\ntitle: a: b\n---\n';
  const { pages, remarks, mapped } = plan({
    'instances/customer/acme.md': broken,
    'skills/x.md': broken.replace('instance', 'skill'),
  });
  for (const { from, content, pageId } of pages.filter(page => page.from !== null)) {
    expect(content).toContain('title: a: b');
    expect(project(pageId, content).facts.unreadable).toBe(true);
    expect(remarks.filter(({ file }) => file === from)).toHaveLength(1);
  }
  expect(mapped.map(({ header }) => header)).toEqual(['kept', 'kept']);
});

test('[IM7] notes are called as they are linked', () => {
  expect(ids({ 'P/A b.md': '', 'P/Q/C.md': '', 'x.md': '[[P/Q/C]] [[A b]]' })).toEqual({
    'x.md': 'x',
    'P/A b.md': 'A b',
    'P/Q/C.md': 'P/Q/C',
  });
  expect(ids({ 'P/Q/C.md': '', 'x.md': '[[P/Q/C]] and [[C#Part|c]]' })['P/Q/C.md']).toBe('C');
});

test('[IM7] an id of its own stays, and the report says which links do not find it', () => {
  const { mapped, remarks } = plan({ 'Anna.md': '---\nid: anna-1\n---\n' });
  expect(mapped).toMatchObject([{ id: 'anna-1', pageId: 'markdown/instances/note/Anna.md' }]);
  expect(remarks).toEqual([
    { file: 'Anna.md', message: 'its header calls it anna-1: links to [[Anna]] do not find it' },
  ]);
});

test('[IM8] one name in two folders: both are pages, the lower one is called by its path', () => {
  const { mapped, clashes } = plan({ 'B/Note.md': 'b', 'Note.md': 'top', 'A/Note.md': 'a' });
  expect(Object.fromEntries(mapped.map(({ file, id }) => [file, id]))).toEqual({
    'Note.md': 'Note',
    'A/Note.md': 'A/Note',
    'B/Note.md': 'B/Note',
  });
  expect(clashes).toEqual([
    { kind: 'same-name', files: ['Note.md', 'A/Note.md', 'B/Note.md'], ids: ['Note', 'A/Note', 'B/Note'] },
  ]);
});

test('[IM8] a name that a page has already leaves the note its path', () => {
  const { mapped, clashes } = plan({ 'p.md': '---\ntype: instance\nskill: customer\nid: acme\n---\n', 'acme.md': '' });
  expect(mapped.map(({ id }) => id).toSorted()).toEqual(['acme', 'acme (2)']);
  expect(clashes).toEqual([{ kind: 'same-name', files: ['acme.md', 'p.md'], ids: ['acme (2)', 'acme'] }]);
});

test.each([
  ['a space and an underscore', 'a b.md', 'a_b.md'],
  ['case', 'Note.md', 'NOTE.md'],
  ['a hyphen', 'x/a-b.md', 'y/a b.md'],
])('[IM8] names that differ in %s only are reported, none is left out', (_, one, other) => {
  const { mapped, clashes, pages } = plan({ [one]: 'one', [other]: 'other' });
  expect(new Set(mapped.map(({ id }) => id)).size).toBe(2);
  expect(clashes.filter(({ kind }) => kind === 'look-alike').map(({ files }) => files.toSorted())).toEqual([
    [one, other].toSorted(),
  ]);
  expect(
    pages.map(({ content }) => parsePage(content).body).filter(body => ['one', 'other'].includes(body)),
  ).toHaveLength(2);
});

test('[IM8] two pages with one id, and folders that look alike, are reported', () => {
  const page = '---\ntype: instance\nskill: customer\nid: acme\n---\n';
  const { clashes, pages } = plan({ 'a.md': page, 'b.md': page, 'Projekte/x.md': '', 'projekte/y.md': '' });
  expect(clashes).toEqual([
    { kind: 'same-id', files: ['a.md', 'b.md'], ids: ['acme', 'acme'] },
    {
      kind: 'same-path',
      files: ['a.md', 'b.md'],
      ids: ['markdown/instances/customer/acme.md', 'markdown/instances/customer/acme-2.md'],
    },
    {
      kind: 'look-alike',
      files: ['markdown/skills/Projekte.md', 'markdown/skills/projekte.md'],
      ids: ['Projekte', 'projekte'],
    },
  ]);
  expect(pages.filter(({ content }) => content === page)).toHaveLength(2);
});

test('[IM9] two Unicode forms of one name, and names that differ in case, get two page ids', () => {
  const { pages, mapped } = plan({ 'U\u0308.md': 'nfd', 'Ü.md': 'nfc', 'x/a.md': '', 'X/a.md': '' });
  const folded = pages.map(({ pageId }) => pageId.normalize('NFC').toLowerCase());
  expect(new Set(folded).size).toBe(7);
  expect(mapped.map(({ id }) => id)).toEqual(['Ü', 'Ü (2)', 'a', 'x/a']);
});

test('[IM9] a file whose page id would be none is reported', () => {
  const long = `${'ä'.repeat(120)}.md`;
  const { pages, unmapped } = plan({ [long]: '' });
  expect(pages).toEqual([]);
  expect(unmapped).toEqual([{ file: long, reason: expect.stringContaining('longer than 200 bytes') as string }]);
});

test('[IM10] skills without a page get one that can be read and names the keys seen', () => {
  const { pages, skillsCreated } = plan({
    'My Notes/a.md': '---\nmood: good\n---\n',
    'My Notes/b.md': '---\ntags: []\n---\n',
  });
  expect(skillsCreated).toEqual(['My_Notes']);
  const [skill] = pages;
  expect(skill).toMatchObject({ pageId: 'markdown/skills/My_Notes.md', from: null });
  expect(parsePage(skill!.content)).toMatchObject({
    problem: null,
    links: [],
    frontmatter: {
      type: 'skill',
      id: 'My_Notes',
      title: 'My Notes',
      required_frontmatter: [],
      optional_frontmatter: ['mood', 'tags'],
    },
  });
});

test('[IM11] packs and texts with NUL are left out with a reason', () => {
  const { unmapped, pages } = plan({
    'base/pack/skills/x.md': '---\ntype: skill\nid: x\n---\n',
    'y.md': '---\ntype: skill\nid: y\nlayer: base@core@v1\n---\n',
    'z.md': 'a\0b',
  });
  expect(pages).toEqual([]);
  expect(unmapped.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: 'base/pack/skills/x.md', reason: 'belongs to a pack: import the pack' },
    { file: 'y.md', reason: 'belongs to a pack: import the pack' },
    { file: 'z.md', reason: 'holds NUL characters: not a text' },
  ]);
});

test('[IM12] links are followed to pages, to files left out and to nothing', () => {
  const text = '[[B]] [[Folder::B]] [[skill::Folder]] ![[pic.png]]\n[[gone]] [[customer::x]] `[[code]]` [[Folder::]]';
  const { links } = plan(
    { 'A.md': text, 'Folder/B.md': '' },
    { unmapped: [{ file: 'img/pic.png', reason: 'not markdown' }] },
  );
  expect(links).toEqual({
    found: 7,
    resolved: 3,
    attachments: 1,
    unresolved: [
      { file: 'A.md', line: 2, link: '[[gone]]' },
      { file: 'A.md', line: 2, link: '[[customer::x]]' },
      { file: 'A.md', line: 2, link: '[[Folder::]]' },
    ],
  });
});

test('[IM13] the plan of one folder is the same whatever order its files come in', () => {
  const files = ['B/Note.md', 'Note.md', 'A/Note.md', 'A/note.md'].map(path => ({ path, text: '[[A/Note]]' }));
  expect(planImport(files.toReversed())).toEqual(planImport(files));
});
