import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const text = (id: string, body: string): string => instancePage('note', id, {}, body);
const sha = (of: string): string => createHash('sha256').update(of).digest('hex');

const BODY = `Before. ^intro

# One

First of one.

## Deep

- item a
- item b
  more of b

# Two

| t | u |
|---|---|
| 1 | 2 |
^table

Last.
`;
const ONE = '# One\n\nFirst of one.\n\n## Deep\n\n- item a\n- item b\n  more of b';

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  await w.put({ 'markdown/skills/note.md': skillPage('note'), [note('read')]: text('read', BODY) });
});
afterAll(() => w.end());

describe('expand in parts', () => {
  const page_id = note('read');
  test('[PG130] one block, and one section', async () => {
    const block = await ann.call('expand', { page_id, anchor: 'table' });
    const table = '| t | u |\n|---|---|\n| 1 | 2 |';
    expect(block.blocks).toEqual([{ anchor: 'table', content: table, sha256: sha(table) }]);
    expect([block.body, block.next]).toEqual([`${table}\n^table`, null]);
    const section = await ann.call('expand', { page_id, anchor: 'One', section: true });
    expect([section.body, section.part_sha256, section.next]).toEqual([ONE, sha(ONE), null]);
    expect(section.blocks).toHaveLength(5);
    const deep = await ann.call('expand', { page_id, anchor: 'One#Deep', section: true });
    expect(deep.body).toBe('## Deep\n\n- item a\n- item b\n  more of b');
    const start = await ann.call('expand', { page_id, anchor: 'intro', section: true });
    expect(start.body).toBe('Before. ^intro');
  });

  test.each([1, 7, 40, 100, 10_000])('[PG130] parts of %i characters make up the body', async max_chars => {
    const parts: string[] = [];
    for (let next: string | null | undefined; next !== null;) {
      const part = await ann.call('expand', { page_id, max_chars, ...(next ? { next } : {}) });
      expect(part.body.length).toBeLessThanOrEqual(max_chars);
      parts.push(part.body);
      next = part.next;
    }
    expect(parts.join('')).toBe(BODY);
  });

  test('[PG130] a page of two megabytes is read in parts, characters whole', async () => {
    const long = note('long');
    const body = `${'😀'.repeat(400_000)}\n\n${'Ein Absatz mit Wörtern.\n\n'.repeat(50_000)}`;
    await w.put({ [long]: text('long', body) });
    let whole = '';
    for (let next: string | null | undefined; next !== null;) {
      const part = await ann.call('expand', { page_id: long, max_chars: 250_001, ...(next ? { next } : {}) });
      expect(part.body.isWellFormed()).toBe(true);
      whole += part.body;
      next = part.next;
    }
    expect(whole === body).toBe(true);
  });

  test('[PG131] what does not fit the page is said', async () => {
    expect(await ann.fails('expand', { page_id, anchor: 'nowhere' })).toMatchObject({
      code: -32602,
      data: { argument: 'anchor' },
    });
    for (const next of ['v9.0.5', 'v1.5.5', 'v1.0.99999', 'x']) {
      expect(await ann.fails('expand', { page_id, next })).toMatchObject({ code: -32602, data: { argument: 'next' } });
    }
    expect(await ann.call('expand', { page_id: note('never'), anchor: 'nowhere' })).toEqual({ page: null });
  });
});

describe('patch_page', () => {
  const patch = async (id: string, anchor: string, more: object, read: object = {}) => {
    const part = await ann.call('expand', { page_id: note(id), anchor, ...read });
    const expected_sha256 = 'section' in read ? part.part_sha256 : part.blocks[0].sha256;
    return ann.call('patch_page', { page_id: note(id), anchor, ...read, expected_sha256, ...more });
  };
  const bodyOf = async (id: string): Promise<string> => (await ann.call('expand', { page_id: note(id) })).body;

  test.each<[string, string, object, string, string, object?]>([
    ['replaces a named block', 'intro', { action: 'replace', content: 'After.\n' }, 'Before. ^intro', 'After. ^intro'],
    [
      'replaces a named table',
      'table',
      { action: 'replace', content: 'None.' },
      '| t | u |\n|---|---|\n| 1 | 2 |',
      'None.',
    ],
    ['inserts before', 'One', { action: 'insert_before', content: 'New.' }, '# One', 'New.\n\n# One'],
    ['inserts behind a name', 'table', { action: 'insert_after', content: 'New.\n' }, '^table', '^table\n\nNew.'],
    ['removes with the name', 'table', { action: 'remove' }, '| t | u |\n|---|---|\n| 1 | 2 |\n^table\n\n', ''],
    ['removes the first', 'intro', { action: 'remove' }, 'Before. ^intro\n\n', ''],
    [
      'replaces a section',
      'One',
      { action: 'replace', content: '# Eins\n\nKurz.' },
      ONE,
      '# Eins\n\nKurz.',
      { section: true },
    ],
    [
      'removes a section',
      'Deep',
      { action: 'remove' },
      '## Deep\n\n- item a\n- item b\n  more of b\n\n',
      '',
      { section: true },
    ],
    [
      'adds to a section',
      'Deep',
      { action: 'insert_after', content: 'End.' },
      'more of b',
      'more of b\n\nEnd.',
      { section: true },
    ],
  ])('[PG132] %s', async (name, anchor, more, was, is, read) => {
    const id = name.replaceAll(' ', '-');
    await w.put({ [note(id)]: text(id, BODY) });
    expect(await patch(id, anchor, more, read)).toMatchObject({ ok: true, new_version: 'v2' });
    expect(await bodyOf(id)).toBe(BODY.replace(was, is));
  });

  test('[PG132] items go beside items, with their indent and the line ends of the page', async () => {
    await w.put({ [note('items')]: text('items', '- a\n  - deep one\n- b\n').replaceAll('\n', '\r\n') });
    const { blocks } = await ann.call('expand', { page_id: note('items') });
    await patch('items', blocks[1].anchor, { action: 'insert_after', content: '- deep two\n' });
    expect(await bodyOf('items')).toBe('- a\n  - deep one\n  - deep two\n- b\n'.replaceAll('\n', '\r\n'));
  });

  test('[PG132] every block replaced by itself changes nothing', async () => {
    await w.put({ [note('self')]: text('self', BODY) });
    for (const { anchor, content } of (await ann.call('expand', { page_id: note('self') })).blocks) {
      expect((await patch('self', anchor, { action: 'replace', content })).ok).toBe(true);
      expect(await bodyOf('self')).toBe(BODY);
    }
  });

  test('[PG133] a block that changed is a conflict, others do not matter', async () => {
    await w.put({ [note('guard')]: text('guard', BODY) });
    const args = {
      page_id: note('guard'),
      anchor: 'intro',
      action: 'replace',
      content: 'x',
      expected_sha256: sha('Before.'),
    };
    await w.put({ [note('guard')]: text('guard', BODY.replace('Last.', 'Changed.')) });
    expect((await ann.call('patch_page', args)).ok).toBe(true);
    const again = await ann.call('patch_page', args);
    expect([again.ok, again.issues[0].code, again.issues[0].location]).toEqual([false, 'conflict', 'expected_sha256']);
    const gone = await ann.call('patch_page', { ...args, anchor: 'nowhere' });
    expect([gone.ok, gone.issues[0].code]).toEqual([false, 'anchor_missing']);
    expect(await bodyOf('guard')).toBe(BODY.replace('Last.', 'Changed.').replace('Before.', 'x'));
  });

  test('[PG133] patches of many blocks at once are all kept', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => `Line ${n}. ^l${n}`);
    await w.put({ [note('many')]: text('many', `${lines.join('\n\n')}\n`) });
    const answers = await Promise.all(
      lines.map((_, n) => patch('many', `l${n}`, { action: 'replace', content: `Writer ${n}.` })),
    );
    expect(answers.map(answer => answer.ok)).toEqual(lines.map(() => true));
    expect(await bodyOf('many')).toBe(`${lines.map((_, n) => `Writer ${n}. ^l${n}`).join('\n\n')}\n`);
  });

  test('[PG133] what a patch brings in is judged like a draft', async () => {
    await w.put({ [note('judged')]: text('judged', 'x\n') });
    const refused = await patch('judged', 'blk-0', { action: 'replace', content: '[[none::x]]' });
    expect([refused.ok, refused.issues[0].code]).toEqual([false, 'unknown_skill']);
    const args = { page_id: note('judged'), anchor: 'blk-0', expected_sha256: sha('x') };
    for (const bad of [{ action: 'replace' }, { action: 'remove', content: 'x' }]) {
      expect(await ann.fails('patch_page', { ...args, ...bad })).toMatchObject({ data: { argument: 'content' } });
    }
  });
});
