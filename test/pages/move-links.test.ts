import fc from 'fast-check';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parsePage } from '../../src/pages/index.ts';
import { withId, relinked } from '../../src/pages/lifecycle/relink.ts';
import { parseWikilink } from '../../src/pages/parse/index.ts';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const mine = (id: string): string => `markdown/instances/mine/${id}.md`;
const body = async (page_id: string): Promise<string> => (await w.admin.call('expand', { page_id })).body;
const move = (from: string, to: string, who = ann) => who.call('move_page', { from, to, rewrite_links: true });

beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' });
  ann = await w.as({ sub: 'ann', groups: ['team'] });
  const team = { read: ['public'], create: ['team'], update: ['team'] };
  await w.put({
    'markdown/skills/note.md': skillPage('note', { acl: team }),
    'markdown/skills/mine.md': skillPage('mine', { visibility: 'owner', owner_field: 'by' }),
    'markdown/skills/fixed.md': skillPage('fixed'),
  });
});
afterAll(() => w.end());

describe('move_page with rewrite_links', () => {
  test('[PG107] page and links go by the new name, and nothing else changes', async () => {
    const links =
      'Bare [[old]], typed [[note::old#p|so\u{1F600}]] and [[ note :: old @v1 ]], not `[[old]]` nor [[fixed::old]] nor [[older]].\r\n';
    await w.put({
      [note('old')]: '---\n# who\nid: old   \ntype: instance\nskill: note\n---\nMyself [[note::old]]. ^p\n',
      [note('source')]:
        `---\ntype: instance\nskill: note\nid: source\nabout: [[note::old]]\nmore: ["[[old]]"]\n---\n\u00e4 ${links}`,
      [note('other')]: instancePage('note', 'other', {}, 'Nothing.\n'),
    });
    const moved = await ann.call('move_page', { from: note('old'), to: note('New name'), rewrite_links: true });
    expect(moved).toEqual({
      ok: true,
      issues: [],
      from: note('old'),
      to: note('New name'),
      rewritten: [note('source')],
      not_rewritten: [],
    });
    const source = await ann.call('expand', { page_id: note('source') });
    expect(source.body).toBe(
      '\u00e4 Bare [[New name]], typed [[note::New name#p|so\u{1F600}]] and [[ note :: New name @v1 ]], not `[[old]]` nor [[fixed::old]] nor [[older]].\r\n',
    );
    expect(source.frontmatter).toMatchObject({ about: [['note::New name']], more: ['[[New name]]'] });
    expect(source.page.last_written_by).toBe('ann');
    const page = await ann.call('expand', { page_id: note('New name') });
    expect([page.page.slug, page.body]).toEqual(['New name', 'Myself [[note::New name]]. ^p\n']);
    const { unified } = await ann.call('diff_page', { page_id: note('New name'), from: 'v1' });
    expect(unified).toContain('\n # who\n-id: old   \n+id: New name\n type: instance\n');
    const { edges } = await ann.call('neighbours', { page_id: note('New name'), direction: 'in' });
    expect(edges.map((edge: { src_page: string }) => edge.src_page)).toContain(note('source'));
    expect((await ann.call('resolve', { wikilink: '[[note::old]]' })).exists).toBe(false);
    expect((await ann.call('list_snapshots', { page_id: note('New name') })).snapshots).toHaveLength(3);
  });

  test('[PG107] what the caller may not write is named and stays, what is hidden is not told', async () => {
    await w.put({
      [note('a')]: instancePage('note', 'a', {}, 'A.\n'),
      'markdown/instances/fixed/f.md': instancePage('fixed', 'f', {}, 'See [[note::a]].\n'),
      [mine('bobs')]: instancePage('mine', 'bobs', { by: 'bob' }, 'See [[note::a]].\n'),
      [note('folded')]: instancePage('note', 'folded', {}, 'x\n').replace('---\nx', 'see: "\\x5b[note::a]]"\n---\nx'),
    });
    expect(await move(note('a'), note('b'))).toMatchObject({
      ok: true,
      rewritten: [],
      not_rewritten: ['markdown/instances/fixed/f.md', note('folded')],
    });
    expect([await body('markdown/instances/fixed/f.md'), await body(mine('bobs'))]).toEqual([
      'See [[note::a]].\n',
      'See [[note::a]].\n',
    ]);
    expect(await move(note('b'), note('a'), w.admin)).toMatchObject({ rewritten: [], not_rewritten: [] });
    expect(await move(note('a'), note('c'), w.admin)).toMatchObject({
      rewritten: ['markdown/instances/fixed/f.md', mine('bobs')],
      not_rewritten: [note('folded')],
    });
  });

  test('[PG107] an overlay follows its own page', async () => {
    await w.put({
      [note('base')]: instancePage('note', 'base', {}, 'Base.\n'),
      [note('plan-base')]: instancePage('note', 'base', { scenario: 'plan' }, 'Plan.\n'),
      [note('in-plan')]: instancePage('note', 'in-plan', { scenario: 'plan' }, '[[note::base]]\n'),
      [note('beneath')]: instancePage('note', 'beneath', {}, '[[note::base]]\n'),
    });
    expect(await move(note('base'), note('ground'))).toMatchObject({ rewritten: [note('beneath')] });
    expect((await ann.call('expand', { page_id: note('in-plan'), scenario: 'plan' })).body).toBe('[[note::base]]\n');
  });

  test('[PG107] nothing happens where the name is taken, is the same, or is that of a skill', async () => {
    await w.put({
      [note('one')]: instancePage('note', 'one', {}, '[[note::two]]\n'),
      [note('elsewhere')]: instancePage('note', 'two', {}, 'Two.\n'),
    });
    const taken = await move(note('one'), note('two'));
    expect([taken.ok, taken.issues[0].code, taken.issues[0].location]).toEqual([false, 'conflict', 'to']);
    mkdirSync(dirname(join(w.dataDir, note('torn'))), { recursive: true });
    writeFileSync(join(w.dataDir, note('torn')), '---\nid: [\n---\nTorn.\n');
    await vi.waitFor(async () => expect(await body(note('torn'))).toContain('Torn.'), 20_000);
    const torn = await move(note('torn'), note('mended'), w.admin);
    expect([torn.ok, torn.issues[0].code, torn.issues[0].location]).toEqual([false, 'frontmatter_parse', 'from']);
    expect((await ann.call('expand', { page_id: note('one') })).version).toBe('v1');
    expect(await move(note('one'), 'markdown/moved/one.md')).toMatchObject({ ok: true, rewritten: [] });
    const args = { from: 'markdown/skills/fixed.md', to: 'markdown/skills/firm.md', rewrite_links: true };
    expect((await w.admin.fails('move_page', args)).data).toMatchObject({ argument: 'rewrite_links' });
    expect(await ann.call('move_page', { ...args, from: mine('bobs'), to: mine('hers') })).toMatchObject({
      issues: [{ code: 'not_found', location: 'from' }],
    });
  });
});

test('[PG107] a link keeps all but its id, whatever the ids are', () => {
  const id = fc.string({ unit: 'grapheme', minLength: 1 }).map(text => text.replaceAll(/[\r\n]/g, '').trim());
  const form = fc.constantFrom('[[old]]', '[[ note :: old ]]', '[[a::old@v1#x|y]]', '[[old#x@v2]]', '[[old|old]]');
  fc.assert(
    fc.property(form, id, (text, wanted) => {
      const made = withId(text, wanted);
      fc.pre(made !== null);
      expect(parseWikilink(made!)).toEqual({ ...parseWikilink(text), id: wanted.normalize('NFC') });
    }),
  );
  expect(withId('[[a::old#x|y]]', 'C# [v2]')).toBe('[[a::C%23 %5Bv2%5D#x|y]]');
  expect(withId('[[#x]]', 'new')).toBeNull();
});

test('[PG107] any text keeps all else', () => {
  const piece = fc.constantFrom(
    '[[old]]',
    'a',
    '\r\n',
    '\n',
    '`',
    '```\n',
    '[[n::old|x]]',
    '\u{1F600}',
    ' ',
    '[[',
    ']]',
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = `---\ntype: instance\nid: x\n---\n${pieces.join('')}`;
      const next = relinked(text, parsePage, link => link.id === 'old', 'newer');
      expect(next).not.toBeNull();
      const links = (content: string) => parsePage(content).links.map(({ link }) => link.id);
      expect(links(next!)).toEqual(links(text).map(one => (one === 'old' ? 'newer' : one)));
      const back = relinked(next!, parsePage, link => link.id === 'newer', 'old');
      expect(back).toBe(text);
    }),
  );
});
