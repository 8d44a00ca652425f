import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, page, path, skill, skillPath, write, writeInstance, writeSkill } from './page.ts';

let cairn: Cairn;
let pages: Client;
beforeAll(async () => {
  cairn = await startCairn();
  pages = client(cairn.origin);
  await writeSkill(pages, 'note');
});
afterEach(async () => {
  // Whatever was sent, the same process serves the next caller.
  if ((await pages.rpc('ping')).status !== 200) throw new Error('no answer');
});
afterAll(() => cairn.stop());

const PAGE = path('note', 'x');
const update = (header: string, body = '') =>
  pages.ok('update_page', { page_id: PAGE, content: instance('note', 'x', header, body) });
const header = async () => (await pages.ok('expand', { page_id: PAGE })).frontmatter;
const sent = (args: string, name = 'search') =>
  pages.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`);
const MiB = 1 << 20;

describe('YAML', () => {
  const ALIASES = [...'bcdefghij'].map(
    (key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[at]}`).join(', ')}]`,
  );
  test.each([
    ['aliases that multiply', `a: &a [x, x, x, x, x, x, x, x, x]\n${ALIASES.join('\n')}`],
    ['an alias in itself', 'a: &a [*a]'],
    ['an alias in its mapping', 'a: &a {b: *a}'],
    ['lists in lists', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['mappings in mappings', `a: ${'{a: '.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['blocks in blocks', Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['lists on one line', `a:\n  ${'- '.repeat(100_000)}x`],
    ['a tag that makes objects', 'a: !!js/function "function () {}"'],
    ['a mapping as key', '? {a: 1}\n: 1'],
  ])('%s is a header that cannot be read', async (_, yaml) => {
    expect(await update(yaml)).toMatchObject({ ok: false, issues: [{ code: 'frontmatter_parse' }] });
  });

  test.each([
    ['many keys', Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n')],
    ['a long key', `"${'k'.repeat(MiB)}": 1`],
    ['a long number', `a: ${'9'.repeat(MiB)}`],
    ['many escapes', `a: "${'\\n'.repeat(MiB / 2)}"`],
    ['many anchors', Array.from({ length: 10_000 }, (_, at) => `k${at}: &a${at} 1`).join('\n')],
  ])('%s are kept', async (_, yaml) => {
    expect(await update(yaml)).toMatchObject({ ok: true });
    expect(Object.keys(await header()).length).toBeGreaterThan(3);
  });

  test('numbers that JSON has no word for', async () => {
    await update('a: .inf\nb: .nan\nc: 1e999\nd: 0x10\ne: 12345678901234567890');
    const { json } = await pages.call('expand', { page_id: PAGE });
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
    expect(json.result.structuredContent.frontmatter).toMatchObject({ d: 16, e: '12345678901234567890' });
  });
});

describe('names that objects have by themselves', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'];

  test('in a header are keys like any other', async () => {
    await update(`${NAMES.map(name => `${name}: {admin: true, ok: false}`).join('\n')}\nb: {__proto__: {polluted: 1}}`);
    const read = await header();
    for (const name of NAMES) {
      expect(Object.getOwnPropertyDescriptor(read, name)?.value).toEqual({ admin: true, ok: false });
    }
    expect(
      await pages.ok('list_instances', { skill_id: 'note', frontmatter_key: 'b.polluted', frontmatter_value: '1' }),
    ).toEqual({ instances: [], next_cursor: null });
    expect((await pages.ok('list_skills')).skills[0]).not.toHaveProperty('polluted');
  });

  test.each(NAMES)('%s as skill, id, group, field, kind and filter', async name => {
    await write(pages, {
      [skillPath(name)]: skill(
        name,
        `required_frontmatter: [${name}]\nowner_field: ${name}\nacl: {${name}: [x], read: [${name}]}\nparams: [{name: ${name}, kind: ${name}}]\nbackend: {kind: ${name}}\nautonomy: ${name}`,
      ),
    });
    const row = (await pages.ok('list_skills')).skills.find(({ id }: { id: string }) => id === name);
    expect(row).toMatchObject({
      required_frontmatter: [name],
      owner_field: name,
      params: [{ name, kind: 'string', required: false }],
      backend: { kind: 'markdown' },
      acl: { read: [name] },
    });
    expect(row).not.toHaveProperty('autonomy');
    const draft = instance(name, name, '', `[[${name}::${name}#${name}]]\n`);
    expect((await pages.ok('validate', { content: draft })).issues).toMatchObject([
      { code: 'frontmatter_required_key_missing', location: `frontmatter.${name}` },
      { code: 'dangling_wikilink' },
    ]);
    expect(await pages.ok('list_instances', { skill_id: name })).toEqual({ instances: [], next_cursor: null });
    expect((await pages.ok('resolve', { wikilink: `[[${name}]]` })).page.page_id).toBe(skillPath(name));
    await pages.ok('add_group_member', { group_id: name, subject: name });
    expect((await pages.ok('list_group_members', { group_id: name })).members).toHaveLength(1);
    const order = await pages.ok('neighbours', { page_id: skillPath(name), order_by: `${name} asc` });
    expect(order).toEqual({ edges: [] });
  });

  test.each(NAMES)('%s as argument, tool and method', async name => {
    const { json } = await sent(`{"${name}": {"admin": true}, "q": "zzz"}`);
    expect(json.result.structuredContent).toMatchObject({ hits: [], granularity: 'block' });
    expect((await pages.fails(name)).code).toBe(-32601);
    expect((await pages.rpc(name)).json.error.code).toBe(-32601);
    const { json: quotas } = await sent(`{"quotas": {"${name}": 5}}`, 'tenant_update');
    expect(quotas.error?.code ?? quotas.result.structuredContent.spec.quotas).not.toBe(5);
  });
});

describe('ids', () => {
  test.each(['a'.repeat(10_000), 'ü'.repeat(5_000), 'a/'.repeat(5_000), 'a\n', 'a\tb', 'a\u007f', '\u0085', '\ud800'])(
    'the page id %# is -32602',
    async page_id => {
      expect((await pages.fails('update_page', { page_id, content: instance('note', 'x') })).code).toBe(-32602);
      expect((await pages.fails('expand', { page_id })).code).toBe(-32602);
    },
  );

  test('ids that mean another place when decoded, folded or typed elsewhere are just ids', async () => {
    const ids = [
      '%2e%2e/%2e%2e/etc/passwd',
      '..%2f..%2fx',
      '..\u2215x',
      '\uff0e\uff0e/x',
      'a\u200bb.md',
      '\u202emd.exe',
      '\u0430dmin.md',
      'con',
      'a:b',
      'state.sqlite',
      'lock.json',
      'tmp/x',
      '.git/config',
      'MARKDOWN/skills/escurel.md',
      'markdown/skills/escurel.md ',
    ];
    for (const [at, page_id] of ids.entries()) {
      await write(pages, { [page_id]: instance('note', `odd-${at}`, '', `body ${at}\n`) });
    }
    for (const [at, page_id] of ids.entries()) {
      expect(await pages.ok('expand', { page_id })).toMatchObject({ page: { page_id }, body: `body ${at}\n` });
    }
    expect((await pages.ok('expand', { page_id: skillPath('escurel') })).frontmatter.id).toBe('escurel');
    expect(existsSync(join(cairn.folder, 'etc')) || existsSync(join(cairn.folder, 'x'))).toBe(false);
  });

  test('a page cannot take the place of a folder', async () => {
    expect(await pages.ok('update_page', { page_id: 'markdown/skills', content: instance('note', 'f') })).toMatchObject(
      {
        ok: false,
      },
    );
  });

  test('slugs of any kind resolve to themselves and to nothing else', async () => {
    const slugs = ['a\u200bb', 'ab', '\u202eab', '\u0430b', 'AB', 'ａｂ', '%61b', 'x'.repeat(10_000)];
    for (const [at, id] of slugs.entries())
      await write(pages, { [path('note', `slug-${at}`)]: instance('note', JSON.stringify(id)) });
    for (const [at, id] of slugs.entries()) {
      const { page: found } = await pages.ok('resolve', { wikilink: `[[note::${id}]]` });
      expect(found?.page_id).toBe(path('note', `slug-${at}`));
    }
  });

  test('text that is no Unicode is refused, so that what is stored is what was sent', async () => {
    for (const body of ['\ud800', 'a\udc00', '\u0000'])
      expect((await pages.fails('update_page', { page_id: PAGE, content: instance('note', 'x', '', body) })).code).toBe(
        -32602,
      );
  });
});

describe('bodies made to take long', () => {
  const nested = (mark: string) => Array.from({ length: 1200 }, (_, at) => `${mark.repeat(at)}- a`).join('\n');
  const ticks = Array.from({ length: 1200 }, (_, at) => '`'.repeat(at + 1)).join(' ');
  test.each([
    ['[[', '[['.repeat(MiB / 2)],
    ['[[a', '[[a'.repeat(MiB / 3)],
    ['[[a@', '[[a@'.repeat(MiB / 4)],
    ['backticks', '`'.repeat(MiB)],
    ['backticks of every length', ticks],
    ['spaces', ' '.repeat(MiB)],
    ['spaces before a letter', `${' '.repeat(MiB)}x`],
    ['spaces before ^', `a${' '.repeat(MiB)}^`],
    ['tabs', '\t'.repeat(MiB)],
    ['#', '#'.repeat(MiB)],
    ['>', '>'.repeat(MiB)],
    ['> > >', '> '.repeat(MiB / 2)],
    ['- - -', '- '.repeat(MiB / 2)],
    ['*', '*'.repeat(MiB)],
    ['|', '|'.repeat(MiB)],
    ['^', '^'.repeat(MiB)],
    ['a ^b', 'a ^b '.repeat(MiB / 8)],
    ['<', '<'.repeat(MiB)],
    ['<!--', '<!--'.repeat(MiB / 4)],
    ['::', '::'.repeat(MiB / 2)],
    ['\\', '\\'.repeat(MiB)],
    ['lists in lists', nested(' ')],
    ['quotes in quotes', nested('>')],
    ['one word', 'a'.repeat(MiB)],
    ['combining marks', `a${'\u0301'.repeat(MiB / 2)}`],
    ['joiners', '\u200d'.repeat(MiB / 2)],
  ])('1 MiB of %s', async (_, body) => {
    const content = instance('note', 'x', '', body);
    expect((await pages.ok('validate', { content })).ok).toBe(true);
    expect((await pages.ok('update_page', { page_id: PAGE, content })).ok).toBe(true);
    expect((await pages.ok('expand', { page_id: PAGE })).body).toBe(body);
    const { json } = await pages.call('search', { q: body });
    expect(json.error?.code ?? json.result.isError).toBeOneOf([false, -32602]);
    const { json: link } = await pages.call('resolve', { wikilink: body });
    expect(link.error?.code ?? link.result.isError).toBeOneOf([false, -32602]);
  });

  test('more blocks or links than a page can be read back with are refused unparsed', async () => {
    for (const body of ['- a\n'.repeat(2 * MiB), '[[a::b]] '.repeat(MiB)]) {
      const content = instance('note', 'x', '', body);
      const refusal = { ok: false, issues: [{ severity: 'error', code: 'page_too_large' }] };
      expect(await pages.ok('validate', { content })).toMatchObject(refusal);
      expect(await pages.ok('update_page', { page_id: PAGE, content })).toMatchObject(refusal);
    }
  });

  test('[PG75] a page at the bounds is written and read back', async () => {
    const body = `${'- a\n'.repeat(150_000)}${'[[x]] '.repeat(49_000)}`;
    await write(pages, { [PAGE]: instance('note', 'x', '', body) });
    const read = await pages.ok('expand', { page_id: PAGE });
    expect([read.body === body, read.wikilinks_out.length]).toEqual([true, 49_000]);
  });
});

describe('queries and arguments', () => {
  test.each([
    '"',
    '""',
    '"""',
    '*',
    '^',
    'a*',
    'a AND',
    'OR',
    'NOT a',
    'NEAR(a b)',
    'NEAR(',
    'NEAR(a, b, 99999999999)',
    'content: x',
    '{a b}: c',
    'a + b',
    '-a',
    '(a',
    'a)',
    "'",
    '\\',
    '\u0000',
    'a\u0000b',
    '%',
    '_',
    '::',
    '"a" "b',
    '\ud800',
    '\udfff a',
    "'; DROP TABLE page; --",
    'İ',
    'ß',
    '\u202e',
    '🎉',
    '\uffff',
    'x'.repeat(100_000),
    'a '.repeat(100_000),
  ])('the query %j is a text', async q => {
    expect((await pages.ok('search', { q })).granularity).toBe('block');
  });

  test.each([
    ['a deep filter', `{"q": "a", "filter": {"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}`],
    [
      'a filter of many keys',
      JSON.stringify({ q: 'a', filter: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1])) }),
    ],
    [
      'a filter of many mistakes',
      JSON.stringify({
        q: 'a',
        filter: { a: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1])) },
      }),
    ],
    [
      'a filter of many values',
      JSON.stringify({ q: 'a', filter: { a: { in: Array.from({ length: 200_000 }, (_, at) => at) } } }),
    ],
  ])('%s is answered with issues', async (_, args) => {
    const { json, text } = await sent(args);
    const { hits, issues } = json.result.structuredContent;
    expect([hits, issues[0].severity]).toEqual([[], 'error']);
    expect(text.length).toBeLessThan(10_000);
  });

  test.each([
    ['list_instances', { skill_id: 'note', frontmatter_key: 'a.'.repeat(100_000), frontmatter_value: 'x' }],
    ['list_instances', { skill_id: 'note', cursor: 'a'.repeat(MiB) }],
    ['search', { q: 'a', filter: '['.repeat(MiB) }],
    ['neighbours', { page_id: PAGE, limit: -1 }],
    ['search', { q: 'a', k: 1.5 }],
  ])('%s %# is -32602', async (tool, args) => {
    expect((await pages.fails(tool, args)).code).toBe(-32602);
  });

  test('an id, a method or a tool of a megabyte', async () => {
    const long = 'x'.repeat(MiB);
    expect((await pages.post({ jsonrpc: '2.0', id: long, method: 'ping' })).json.id).toBe(long);
    expect((await pages.rpc(long)).text.length).toBeLessThan(1000);
    expect((await pages.call(long)).text.length).toBeLessThan(1000);
    expect((await pages.call('list_skills', { [long]: 1 })).text.length).toBeLessThan(10_000);
  });

  test('deep structures where nobody looks', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    expect((await sent(`{"unheard_of": ${deep}}`, 'list_skills')).json.result.isError).toBe(false);
    const written = JSON.stringify(instance('note', 'x'));
    const { json } = await sent(`{"page_id": "${PAGE}", "content": ${written}, "provenance": ${deep}}`, 'update_page');
    expect(json.result.structuredContent.ok).toBe(true);
    const { json: bad } = await pages.post(
      `{"jsonrpc":"2.0","id":${'['.repeat(9000)}${']'.repeat(9000)},"method":"ping"}`,
    );
    expect(bad.error.code).toBe(-32600);
  });

  test('a filter reaches keys of any spelling', async () => {
    const keys = ['a"b', "a'b", 'a.b', 'a\\b', '$', 'ü', 'a b', '[0]', '#', ''];
    for (const key of keys) {
      await writeInstance(pages, 'note', 'keyed', `${JSON.stringify(key)}: found`, 'Schlüsselwort\n');
      const hits = async (value: string) =>
        (await pages.ok('search', { q: 'Schlüsselwort', filter: { [key]: value } })).hits.length;
      expect([key, await hits('found'), await hits('lost')]).toEqual([key, 1, 0]);
    }
  });

  test('markup in a page is handed on as text, never run or changed', async () => {
    const body = '<script>alert(1)</script>\n\n{{7*7}} ${7*7} <!--#exec cmd="id"-->\n';
    await write(pages, {
      [PAGE]: page('type: instance\nskill: note\nid: x\ntitle: "<img src=x onerror=alert(1)>"', body),
    });
    const { headers } = await pages.call('expand', { page_id: PAGE });
    expect(headers.get('content-type')).toBe('application/json');
    expect((await pages.ok('expand', { page_id: PAGE })).body).toBe(body);
  });
});
