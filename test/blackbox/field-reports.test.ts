// What broke in neighbouring systems, tried from outside: each test names the report.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusedStart, startCairn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, write, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'note');
});
afterAll(() => cairn.stop());

const SOON = { timeout: 20_000 };
const slugs = async (q: string, who = admin): Promise<string[]> => [
  ...new Set<string>((await who.ok('search', { q })).hits.map(({ slug }: { slug: string }) => slug)),
];
const resolved = async (wikilink: string): Promise<string | undefined> =>
  (await admin.ok('resolve', { wikilink })).page?.page_id;

/** Lays a file there as somebody with an editor does, and waits until its page is read. */
async function laid(id: string, text: string): Promise<{ body: string }> {
  const file = join(cairn.folder, 'data', path('note', id));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const read = () => admin.ok('expand', { page_id: path('note', id) });
  await expect.poll(async () => (await read()).page?.slug, SOON).toBe(id);
  return read();
}

describe('headers', () => {
  test('F01 a second colon in a title keeps the page, its text is found, and the place is named', async () => {
    const text = '---\ntype: instance\nskill: note\nid: colon\ntitle: Q3: rollout\n---\nZebrafink\n';
    expect((await laid('colon', text)).body).toContain('Zebrafink');
    expect(await slugs('Zebrafink')).toEqual(['colon']);
    const { issues } = await admin.ok('validate', { content: text });
    expect(issues).toMatchObject([{ code: 'frontmatter_parse', message: expect.stringContaining('line:5 col:10') }]);
  });

  test('F02 a fence that holds no mapping is text, found, and left as it is', async () => {
    const text = '---\nMuster GmbH\n---\nNilpferd\n';
    expect((await laid('fence', text)).body).toBe(text);
    expect(await slugs('Nilpferd')).toEqual(['fence']);
    expect(readFileSync(join(cairn.folder, 'data', path('note', 'fence')), 'utf8')).toBe(text);
  });

  test('F03 a written page is read back as it was meant, whatever its values', async () => {
    const header = {
      description: 'use when: x # y',
      title: '- [a]: {b}',
      yes: 'no',
      at: '1:30',
      empty: '',
      tab: 'a\tb',
    };
    const lines = Object.entries(header).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const page_id = await writeInstance(admin, 'note', 'odd', lines.join('\n'));
    expect((await admin.ok('expand', { page_id })).frontmatter).toMatchObject(header);
  });

  test('F04 a rule further down is no header', async () => {
    const text = '# Title\n\nOkapi\n\n---\n\nmore\n';
    expect((await laid('rule', text)).body).toBe(text);
    expect(await slugs('Okapi')).toEqual(['rule']);
  });

  test.each(['\uFEFF', ''])(
    'F07 with %j in front, an access rule that cannot be understood hides its page',
    async mark => {
      const page_id = path('note', `closed-${mark.length}`);
      const content = mark + instance('note', `closed-${mark.length}`, 'acl: private', 'Geheimgang\n');
      expect((await admin.ok('update_page', { page_id, content })).ok).toBe(true);
      expect(await agent.ok('expand', { page_id })).toEqual({ page: null });
      expect(await slugs('Geheimgang', agent)).toEqual([]);
    },
  );
});

test('F11 the zone of the machine changes nothing', async () => {
  const header = 'at: 2026-04-12T10:00:00\nday: 2026-04-12\nold: 2018-11-20 16:33 +0100';
  const rowOf = async (pages: Client) => {
    await writeInstance(pages, 'note', 'zoned', header);
    const { rows } = await pages.ok('admin_index_query', { table: 'pages', limit: 1000 });
    const { at_ts, frontmatter, body_hash } = rows.find(({ slug }: { slug: string }) => slug === 'zoned');
    return { at_ts, frontmatter: JSON.parse(frontmatter), body_hash };
  };
  const far = await startCairn({ CAIRN_AUTH_MODE: 'open', TZ: 'America/Los_Angeles' });
  try {
    const there = await rowOf(client(far.origin));
    expect(there).toEqual(await rowOf(admin));
    expect(there.at_ts).toBe('2026-04-12T10:00:00.000Z');
    expect(there.frontmatter).toMatchObject({ day: '2026-04-12', old: '2018-11-20 16:33 +0100' });
  } finally {
    await far.stop();
  }
});

test('F12 a date as YAML writes it is taken', async () => {
  await writeInstance(admin, 'note', 'dated', 'at: 2018-11-20 16:33 +0100');
  const { instances } = await admin.ok('list_instances', { skill_id: 'note', filter: { id: 'dated' } });
  expect(instances).toMatchObject([{ at: '2018-11-20 16:33 +0100' }]);
  const before = { skill_id: 'note', filter: { id: 'dated' }, as_of: '2018-11-20T15:32:59Z' };
  expect((await admin.ok('list_instances', before)).instances).toEqual([]);
});

describe('names and links', () => {
  test('L07 L08 L09 any title can be linked', async () => {
    for (const [id, name] of Object.entries({ cs: 'C# to JSON [v2]', c: 'C', mt: 'Meeting: a/b', ai: 'AI & ML/Topic' }))
      await write(admin, { [path('note', id)]: instance('note', JSON.stringify(name)) });
    expect(await resolved('[[note::C%23 to JSON %5Bv2%5D]]')).toBe(path('note', 'cs'));
    expect(await resolved('[[note::C]]')).toBe(path('note', 'c'));
    expect(await resolved('[[note::Meeting: a/b]]')).toBe(path('note', 'mt'));
    expect(await resolved('[[AI & ML/Topic#Sec]]')).toBe(path('note', 'ai'));
  });

  test('L13 names that differ in a space stay two pages, and L15 the writer is told', async () => {
    expect((await admin.ok('update_page', { page_id: 'x/a b.md', content: instance('note', 'a b') })).issues).toEqual(
      [],
    );
    const second = await admin.ok('update_page', { page_id: 'x/a_b.md', content: instance('note', 'a_b') });
    expect(second).toMatchObject({ ok: true, issues: [{ severity: 'warning', code: 'similar_id' }] });
    expect(second.issues[0].message).toContain('x/a b.md');
    for (const id of ['a b', 'a_b']) expect(await resolved(`[[note::${id}]]`)).toBe(`x/${id}.md`);
  });

  test('L17 L18 a write goes to the page it names, and to a new one only where that is asked', async () => {
    const plan = await writeInstance(admin, 'note', 'site-plan-2027');
    await writeInstance(admin, 'note', 'site-plan');
    expect((await admin.ok('expand', { page_id: plan })).version).toBe('v1');
    const content = instance('note', 'site-plan-2027', '', 'Other\n');
    const refused = await admin.ok('update_page', { page_id: plan, content, if_absent: true });
    expect([refused.ok, refused.issues[0].code, refused.head_content]).toEqual([false, 'conflict', expect.any(String)]);
  });
});

describe('search', () => {
  beforeAll(async () => {
    const texts = {
      codes: 'Ticket BENCH-100821, "--error-on-warnings", release 1.0.21 and 2026.4.10, see customer::acme',
      rate: "We don't exceed 3 GB/s",
      order: 'Auftragsbestätigung',
      halls: 'Die Sporthalle hat Wallboxen.',
      apples: 'Äpfel',
    };
    for (const [id, text] of Object.entries(texts)) await writeInstance(admin, 'note', id, '', `${text}\n`);
    await writeInstance(admin, 'note', 'titled', 'title: Äpfel', 'Obst\n');
  });

  test.each([
    ['S01', 'BENCH-100821', 'codes'],
    ['S02', "don't", 'rate'],
    ['S02', 'GB/s', 'rate'],
    ['S03', '"--error-on-warnings"', 'codes'],
    ['S04', 'customer::acme', 'codes'],
    ['S05', '"1.0.21"', 'codes'],
    ['S05', '2026.4.10', 'codes'],
    ['S10', 'Bestätigung', 'order'],
    ['S10', 'Auftrag', 'order'],
  ])('%s "%s" finds its page first', async (_report, q, slug) => {
    expect((await slugs(q))[0]).toBe(slug);
  });

  test.each(['Äpfel', 'Apfel', 'Aepfel', 'äpfel'])('S09 %s is found in title and text alike', async q => {
    expect((await slugs(q)).toSorted()).toEqual(['apples', 'titled']);
  });

  test('S11 S13 leftovers of compounds and nonsense find nothing, with a reason', async () => {
    for (const q of ['e', 'en', 'qzxwvkjhgfdsapoiuytrewqmnbvcxy'])
      expect(await admin.ok('search', { q })).toMatchObject({ hits: [], abstained: { reason: 'no-candidate' } });
  });

  test('S24 a run of emoji is a text like any other', async () => {
    const page_id = await writeInstance(admin, 'note', 'emoji', '', `${'👩‍🚀🇩🇪'.repeat(3000)} Mondfahrt\n`);
    const { hits } = await admin.ok('search', { q: 'Mondfahrt', page_id });
    expect(hits).toHaveLength(1);
    expect(hits[0].snippet.isWellFormed()).toBe(true);
  });
});

test('S27 S28 a cut in time keeps what has no date and drops what is later, on every read', async () => {
  const target = await writeInstance(admin, 'note', 'hub', '', 'Nabe\n');
  for (const [id, at] of Object.entries({
    past: 'at: 2020-01-01T00:00:00Z',
    none: '',
    late: 'at: 2030-01-01T00:00:00Z',
  }))
    await writeInstance(admin, 'note', `spoke-${id}`, at, '[[note::hub]] Speiche\n');
  const as_of = '2025-01-01T00:00:00Z';
  const kept = ['spoke-none', 'spoke-past'].map(id => path('note', id));
  const listed = (await admin.ok('list_instances', { skill_id: 'note', as_of })).instances;
  expect(
    listed.map(({ page_id }: { page_id: string }) => page_id).filter((id: string) => id.includes('spoke')),
  ).toEqual(kept);
  const { edges } = await admin.ok('neighbours', { page_id: target, as_of });
  expect(edges.map(({ src_page }: { src_page: string }) => src_page).toSorted()).toEqual(kept);
  const { hits } = await admin.ok('search', { q: 'Speiche', as_of });
  expect(hits.map(({ page_id }: { page_id: string }) => page_id).toSorted()).toEqual(kept);
  expect(await admin.ok('expand', { page_id: path('note', 'spoke-late'), as_of })).toEqual({ page: null });
});

test('S29 what counts and lists pages sees no overlay unless it names one', async () => {
  await writeSkill(admin, 'twin');
  await writeInstance(admin, 'twin', 'one', '', 'Zwilling\n');
  await write(admin, { 'overlay/one.md': instance('twin', 'one', 'scenario: dream', 'Zwilling\n') });
  for (const scenario of [undefined, 'dream']) {
    const asked = { skill_id: 'twin', ...(scenario === undefined ? {} : { scenario }) };
    expect((await admin.ok('list_instances', asked)).instances).toHaveLength(1);
    expect((await admin.ok('search', { q: 'Zwilling', ...asked })).hits).toHaveLength(1);
  }
});

test('C02 C04 a second process is refused and names the first; writes of many are all there', async () => {
  const { code, stderr } = refusedStart({ CAIRN_AUTH_MODE: 'open', CAIRN_DATA_DIR: join(cairn.folder, 'data') });
  expect([code, stderr]).toEqual([1, expect.stringContaining(String(cairn.pid))]);
  await writeSkill(admin, 'many');
  const ids = Array.from({ length: 40 }, (_, at) => `m${at}`);
  await Promise.all(ids.map((id, at) => writeInstance(at % 2 ? admin : agent, 'many', id)));
  expect((await admin.ok('list_instances', { skill_id: 'many' })).instances).toHaveLength(40);
});

test('C06 of two sessions on one base the stale one is told', async () => {
  const page_id = await writeInstance(admin, 'note', 'shared', 'tier: a', 'One\n');
  const by = (tier: string) =>
    agent.ok('update_page', {
      page_id,
      content: instance('note', 'shared', `tier: ${tier}`, 'One\n'),
      base_version: 'v1',
      require_exact_base: true,
    });
  expect((await Promise.all([by('b'), by('c')])).map(({ ok }) => ok).toSorted()).toEqual([false, true]);
});

describe('calls', () => {
  test('M01 M03 every node of every schema has a type, and objects are flat on top', async () => {
    const { tools } = (await admin.rpc('tools/list')).json.result;
    const untyped: string[] = [];
    // oxlint-disable-next-line no-explicit-any -- JSON Schema as it comes
    const walk = (node: any, at: string): void => {
      if (!['type', 'anyOf', 'const', 'enum'].some(key => key in node)) untyped.push(at);
      for (const [key, child] of Object.entries(node.properties ?? {})) walk(child, `${at}.${key}`);
      for (const child of [node.items, ...(node.anyOf ?? [])]) if (child) walk(child, `${at}[]`);
    };
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, ...(outputSchema ? [outputSchema] : [])]) {
        expect([name, schema.type, schema.anyOf ?? schema.oneOf]).toEqual([name, 'object', undefined]);
        walk(schema, name);
      }
    }
    expect(untyped).toEqual([]);
    expect(tools.length).toBeGreaterThan(30);
  });

  test('M05 M06 what was sent as text is taken for what the schema says, and text stays text', async () => {
    await writeInstance(admin, 'note', 'json', '', '["a"]\n');
    const listed = await admin.ok('list_instances', { skill_id: 'note', limit: '1', filter: '{"id":"json"}' });
    expect(listed.instances).toMatchObject([{ frontmatter: { id: 'json' } }]);
    expect((await admin.ok('expand', { page_id: path('note', 'json'), full: 'false' })).body).toBe('["a"]\n');
    const content = { page_id: path('note', 'json'), content: { type: 'instance' } };
    expect(await admin.fails('update_page', content)).toMatchObject({ code: -32602, data: { argument: 'content' } });
  });

  test('M07 an argument nobody knows is named with the one that was likely meant', async () => {
    const { json } = await admin.call('list_instances', { skill_id: 'note', scenari: 'x' });
    expect(json.result).toMatchObject({
      _meta: { ignored_arguments: ['scenari'], did_you_mean: { scenari: 'scenario' } },
    });
  });

  test('M09 a client from before a restart goes on', async () => {
    const { status, json } = await admin.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': 'dead' });
    expect([status, json.result]).toEqual([200, {}]);
  });

  test('M14 text and structure agree, and an error has none', async () => {
    const { content, structuredContent } = (await admin.call('list_instances', { skill_id: 'nobody' })).json.result;
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(Object.keys((await admin.call('expand', {})).json)).toEqual(['jsonrpc', 'id', 'error']);
  });

  test('M17 who is nobody is told so before anything else, in JSON', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
      const { status, json } = await request(`${cairn.origin}/mcp`, { method });
      expect([method, status, json.error]).toEqual([method, 401, 'unauthorized']);
    }
    for (const known of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'openid-configuration'])
      expect((await request(`${cairn.origin}/.well-known/${known}`)).json).toMatchObject({ error: expect.any(String) });
  });

  test('M21 there is one way to call a tool, and it asks who calls', async () => {
    for (const name of ['tools/call', 'call_tool', 'batch'])
      expect((await agent.fails(name, { name: 'purge_page', arguments: {} })).code).toBe(-32601);
    expect((await agent.fails('purge_page', { page_id: 'x.md' })).code).toBe(-32001);
  });
});

test.each(['../x.md', '/etc/x.md', 'a/../../x.md', 'a\\x.md', './x.md'])('X01 no verb takes the id %s', async id => {
  for (const tool of [
    'expand',
    'update_page',
    'delete_page',
    'purge_page',
    'neighbours',
    'list_snapshots',
    'diff_page',
  ])
    expect(
      await admin.fails(tool, { page_id: id, content: instance('note', 'x'), from: 'v1', to: 'v1' }),
    ).toMatchObject({
      code: -32602,
      data: { code: 'invalid_params' },
    });
  expect((await admin.fails('move_page', { from: 'x.md', to: id })).code).toBe(-32602);
  expect((await admin.fails('admin_lane_blob', { key: id })).code).toBe(-32602);
});
