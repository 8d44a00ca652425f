import { expect, test } from 'vitest';
import { headed } from '../../src/cli/import/header.ts';
import { parsePage, project } from '../../src/pages/index.ts';

const who = { skill: 'note', id: 'Note', title: 'Note' };
const identity = { type: 'instance', ...who };

test('[IM5] a note without a header gets one, in the line ends of its text', () => {
  expect(headed('One\r\nTwo\r\n', who)).toEqual({
    content: '---\r\ntype: instance\r\nskill: note\r\nid: Note\r\ntitle: Note\r\n---\r\nOne\r\nTwo\r\n',
    header: 'added',
    remarks: [],
  });
});

test('[IM1] a BOM stays in front', () => {
  for (const text of ['\ufeffBody', '\ufeff---\na: b: c\n---\nBody', '\ufeff---\ntags: []\n---\nBody']) {
    const { content } = headed(text, who);
    expect(content.lastIndexOf('\ufeff')).toBe(0);
    expect(parsePage(content)).toMatchObject({ problem: null, frontmatter: identity });
    expect(content.endsWith('Body')).toBe(true);
  }
});

test('[IM5] its own keys, comments and layout stay', () => {
  const { content, header } = headed('---\n# mine\ntags:   [a]  # two\ntitle: Own\n---\nBody', who);
  expect(content).toBe('---\n# mine\ntags:   [a]  # two\ntitle: Own\ntype: instance\nskill: note\nid: Note\n---\nBody');
  expect(header).toBe('extended');
});

test('[IM5] an empty header is written into', () => {
  expect(headed('---\n---\nBody', who).content).toBe(
    '---\ntype: instance\nskill: note\nid: Note\ntitle: Note\n---\nBody',
  );
  expect(parsePage(headed('---\n\n# only this\n---\nBody', who).content)).toMatchObject({
    frontmatter: identity,
    body: 'Body',
    problem: null,
  });
});

test('[IM5] keys that mean something else here are renamed and reported', () => {
  const text = '---\ntype: recipe\n"id": 7\nskill: [bake]\nnote_id: taken\n---\n';
  const { content, remarks } = headed(text, who);
  expect(parsePage(content).frontmatter).toEqual({
    note_type: 'recipe',
    note_id_2: 7,
    note_skill: ['bake'],
    note_id: 'taken',
    ...identity,
  });
  expect(remarks).toEqual([
    'its own key type is now note_type: here type means something else',
    'its own key skill is now note_skill: here skill means something else',
    'its own key id is now note_id_2: here id means something else',
  ]);
});

test.each([
  ['flow style', '---\n{ a: 1, "type": 3 }\n---\nBody', { a: 1, note_type: 3 }],
  ['an indented mapping', '---\n  a: 1\n  b: [x]\n---\nBody', { a: 1, b: ['x'] }],
])('[IM5] %s is written anew, with the same keys and values', (_, text, own) => {
  const { content, remarks } = headed(text, who);
  expect(parsePage(content)).toMatchObject({ frontmatter: { ...own, ...identity }, body: 'Body', problem: null });
  expect(remarks).toContain('header written anew, its comments and layout are gone');
});

test('[IM5] keys that hide, close or freeze a page are reported', () => {
  const { remarks } = headed('---\narchived: true\nscenario: x\nother: 1\n---\n', who);
  expect(remarks).toEqual([
    'its own key archived has a meaning here: check who sees the page',
    'its own key scenario has a meaning here: check who sees the page',
  ]);
});

test('[IM2] a page that says what it is stays as it is; what it leaves out is added', () => {
  const whole = '---\ntype: instance\nskill: customer\nid: acme\n---\nBody';
  expect(headed(whole, who)).toEqual({ content: whole, header: 'kept', remarks: [] });
  const half = '---\ntype: instance\nid: acme\n---\nBody';
  expect(headed(half, who).content).toBe('---\ntype: instance\nid: acme\nskill: note\n---\nBody');
  const skill = '---\ntype: skill\n---\nBody';
  expect(headed(skill, who).content).toBe('---\ntype: skill\nid: Note\n---\nBody');
});

test.each([
  ['YAML that cannot be read', '---\ntitle: Q3: rollout\n---\nBody', 'line 2'],
  ['a header that is one value', '---\nMuster GmbH\n---\nBody', 'not a mapping'],
  ['a header that is never closed', '---\ntitle: x\nBody', 'never closed'],
])('[IM6] %s becomes text, and where it is wrong is reported', (_, text, said) => {
  const { content, header, remarks } = headed(text, who);
  expect(parsePage(content)).toMatchObject({ frontmatter: identity, body: text, problem: null });
  expect(header).toBe('text');
  expect(remarks).toHaveLength(1);
  expect(remarks[0]).toContain(said);
});

test.each(['acl: { read: [team] }', 'visibility: owner', '"owner_field": author', 'archived: true'])(
  '[IM6] an unreadable header with `%s` closes the page to all but admins',
  line => {
    const { content, remarks } = headed(`---\n${line}\ntitle: a: b\n---\nBody`, who);
    const { facts } = project('markdown/instances/note/Note.md', content);
    expect(facts.acl).toEqual({ read: [], create: [], update: [], delete: [] });
    expect(remarks[1]).toContain('only admins see the page');
    expect(project('x.md', headed('---\ntitle: a: b\n---\nacl is a word\n', who).content).facts.acl).toBeNull();
  },
);
