import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, page, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const codes = (payload: { issues: { code: string; location: string }[] }) =>
  payload.issues.map(issue => [issue.code, issue.location]);

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  await w.put({
    'markdown/skills/note.md': skillPage('note', { required_frontmatter: ['id', 'about'] }),
    'markdown/skills/meeting.md': skillPage('meeting', { required_frontmatter: ['at'] }),
    'markdown/skills/view.md': skillPage('view', { backend: { kind: 'sql_view' } }),
    [note('target')]: instancePage('note', 'target', { about: 'x' }, 'A block. ^here\n'),
  });
});
afterAll(() => w.end());

const write = (page_id: string, content: string, more: object = {}) =>
  ann.ask('update_page', { page_id, content, ...more });

describe('update_page', () => {
  test('[PG61] creates, replaces and counts versions', async () => {
    const id = note('counted');
    const first = await write(id, instancePage('note', 'counted', { about: 'a' }, 'one\n'));
    expect(first.payload).toEqual({ ok: true, issues: [], new_version: 'v1', auto_merged: false });
    const second = await write(id, instancePage('note', 'counted', { about: 'a' }, 'two\n'));
    expect(second.payload.new_version).toBe('v2');
    const read = await ann.call('expand', { page_id: id });
    expect([read.body, read.version, read.page.last_written_by]).toEqual(['two\n', 'v2', 'ann']);
  });

  test('[PG61] the bytes are kept as sent', async () => {
    const content =
      '\ufeff---\r\ntype: instance\r\nskill: note\r\nid: bytes\r\nabout: "[[note::target]]"\r\n---\r\n\r\nText\r\n';
    await write(note('bytes'), content);
    const read = await ann.call('expand', { page_id: note('bytes') });
    expect(read.body).toBe('\r\nText\r\n');
    const guarded = await write(note('bytes'), content, { base_sha256: read.content_sha256 });
    expect(guarded.payload.ok).toBe(true);
  });

  test('[PG61] [PG60] warnings come along with success, and with their place', async () => {
    const body = 'See [[note::missing]] and\n[[note::target#nowhere]] and [[note::]].\n';
    const content = instancePage('note', 'warned', { about: '[[note::target#here]]' }, body);
    const { payload } = await write(note('warned'), content);
    expect(payload.ok).toBe(true);
    expect(codes(payload)).toEqual([
      ['wikilink_parse', 'line:8 col:30'],
      ['dangling_wikilink', 'line:7 col:5'],
      ['anchor_missing', 'line:8 col:1'],
    ]);
    expect(await ann.call('validate', { content })).toEqual({ ok: true, issues: payload.issues });
  });

  test.each([
    ['a missing id', instancePage('note', '', { about: 'x' }), ['frontmatter_required_key_missing', 'frontmatter.id']],
    [
      'a link to an unknown skill',
      instancePage('note', 'b', { about: 'x' }, '[[none::x]]\n'),
      ['unknown_skill', 'line:7 col:1'],
    ],
    [
      'a dangling required link',
      instancePage('note', 'b', { about: '[[note::gone]]' }),
      ['dangling_wikilink', 'frontmatter.about'],
    ],
    ['no header', 'text', ['frontmatter_parse', 'frontmatter']],
    ['a broken header', '---\ntype: instance\nid: [\n---\n', ['frontmatter_parse', 'frontmatter']],
    ['another type', page({ type: 'thing', id: 'b' }), ['frontmatter_parse', 'frontmatter']],
  ])('[PG62] %s stops the write', async (_name, content, expected) => {
    const { payload, isError } = await write(note('blocked'), content);
    expect([payload.ok, isError]).toEqual([false, true]);
    expect(codes(payload)).toContainEqual(expected);
    expect(await ann.call('expand', { page_id: note('blocked') })).toEqual({ page: null });
  });

  test('[PG62] a broken header says where', async () => {
    const { payload } = await write(note('blocked'), '---\ntype: instance\ntitle: Q3: rollout\n---\n');
    expect(payload.issues[0].message).toMatch(/^line:3 col:\d+: /);
  });

  test('[PG62] other errors are reported and written', async () => {
    const { payload } = await write(note('loose'), page({ type: 'instance', skill: 'ghost', id: 'loose' }));
    expect(payload.ok).toBe(true);
    expect(codes(payload)).toEqual([['unknown_skill', 'frontmatter.skill']]);
    const event = await write('markdown/instances/meeting/m.md', instancePage('meeting', 'm', { at: 'soon' }));
    expect([event.payload.ok, codes(event.payload)]).toEqual([true, [['frontmatter_at_invalid', 'frontmatter.at']]]);
    const skill = await write('markdown/skills/odd.md', skillPage('odd', { params: 'x', autonomy: 'never' }));
    expect([skill.payload.ok, codes(skill.payload)]).toEqual([
      true,
      [
        ['frontmatter_autonomy_unknown', 'frontmatter.autonomy'],
        ['frontmatter_params_malformed', 'frontmatter.params'],
      ],
    ]);
  });

  test('[PG63] a stale base is a conflict that shows the head', async () => {
    const id = note('guarded');
    const text = (body: string): string => instancePage('note', 'guarded', { about: 'x' }, body);
    await write(id, text('one\n'));
    const { content_sha256: sha } = await ann.call('expand', { page_id: id });
    expect((await write(id, text('two\n'), { base_version: 'v1', require_exact_base: true })).payload.ok).toBe(true);
    const stale = (await write(id, text('three\n'), { base_version: 'v1', require_exact_base: true })).payload;
    expect([stale.ok, stale.head_version, stale.head_content]).toEqual([false, 'v2', text('two\n')]);
    expect(codes(stale)).toEqual([['conflict', 'base_version']]);
    const hashed = (await write(id, text('three\n'), { base_sha256: sha })).payload;
    expect(codes(hashed)).toEqual([['conflict', 'base_sha256']]);
    expect(hashed.head_sha256).toMatch(/^[0-9a-f]{64}$/);
    const absent = (await write(id, text('three\n'), { if_absent: true })).payload;
    expect(codes(absent)).toEqual([['conflict', 'if_absent']]);
    expect((await write(id, text('x\n'), { base_version: 'nonsense' })).payload.ok).toBe(false);
    expect((await ann.call('expand', { page_id: id })).version).toBe('v2');
  });

  test('[PG63] guards on a page that does not exist', async () => {
    const id = note('none');
    const content = instancePage('note', 'none', { about: 'x' });
    const versioned = (await write(id, content, { base_version: 'v1' })).payload;
    expect([versioned.ok, versioned.head_sha256, versioned.head_content]).toEqual([false, '', null]);
    expect((await write(id, content, { base_sha256: 'a'.repeat(64) })).payload.ok).toBe(false);
    expect((await write(id, content, { base_sha256: '', if_absent: true })).payload.ok).toBe(true);
    expect((await write(id, content, { base_sha256: '' })).payload.ok).toBe(false);
  });

  test('[PG63] require_exact_base needs a base', async () => {
    const error = await ann.fails('update_page', { page_id: note('x'), content: 'x', require_exact_base: true });
    expect(error).toMatchObject({ code: -32602, data: { argument: 'base_version' } });
  });

  test('[PG64] of many writers on one base one wins; without a base all do', async () => {
    const id = note('raced');
    const text = (n: number): string => instancePage('note', 'raced', { about: 'x' }, `writer ${n}\n`);
    await write(id, text(0));
    const exact = { base_version: 'v1', require_exact_base: true };
    const based = await Promise.all(Array.from({ length: 12 }, (_, n) => write(id, text(n), exact)));
    expect(based.filter(answer => answer.payload.ok)).toHaveLength(1);
    const free = await Promise.all(Array.from({ length: 12 }, (_, n) => write(id, text(n))));
    const versions = free
      .map(answer => answer.payload.new_version)
      .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
    expect(versions).toEqual(Array.from({ length: 12 }, (_, n) => `v${n + 3}`));
  });

  test('[PG65] guards of packs, backends and curators', async () => {
    const refused = async (id: string, content: string, who = ann) =>
      codes(await who.call('update_page', { page_id: id, content }));
    const layered = instancePage('note', 'l', { about: 'x', layer: 'base@pack@v1' });
    expect(await refused(note('l'), layered, w.admin)).toEqual([['layer_read_only', 'frontmatter.layer']]);
    expect(await refused('markdown/base/p/skills/a.md', skillPage('a'), w.admin)).toEqual([
      ['layer_read_only', 'frontmatter.layer'],
    ]);
    const view = instancePage('view', 'v');
    expect(await refused('markdown/instances/view/v.md', view, w.admin)).toEqual([
      ['backend_read_only', 'frontmatter.backend_ref'],
    ]);
    const promoted = skillPage('promo', { promotable: true });
    expect(await refused('markdown/skills/promo.md', promoted)).toEqual([
      ['promotable_requires_curator', 'frontmatter.promotable'],
    ]);
    expect((await w.admin.call('update_page', { page_id: 'markdown/skills/promo.md', content: promoted })).ok).toBe(
      true,
    );
    expect(
      (await write('markdown/skills/text.md', skillPage('text', { promotable: 'true', layer: 'overlay' }))).payload.ok,
    ).toBe(true);
  });

  test('[PG65] the meta-skill keeps its sections', async () => {
    const page_id = 'markdown/skills/escurel.md';
    const { body, frontmatter } = await ann.call('expand', { page_id });
    const whole = page(frontmatter, body);
    const more = page(frontmatter, `${body}\n## House rules\n\nBe kind.\n`);
    expect((await write(page_id, more)).payload.ok).toBe(true);
    for (const draft of [whole, page({ ...frontmatter, id: 'other' }, `${body}\n## House rules\n`), 'text']) {
      expect(codes((await write(page_id, draft)).payload)).toEqual([['meta_skill_protected', 'frontmatter']]);
    }
  });

  test('[PG69] a second page with the same skill and id names the first', async () => {
    const { payload } = await write('markdown/instances/note/again.md', instancePage('note', 'target', { about: 'x' }));
    expect(payload.ok).toBe(true);
    expect(payload.issues).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'duplicate_id',
        message: expect.stringContaining(note('target')),
      }),
    ]);
  });

  test('[PG69] a new page whose id reads like that of another names it (L15)', async () => {
    await write(note('site-roadmap'), instancePage('note', 'site-roadmap', { about: 'x' }));
    const similar = async (id: string, path = note(id.toLowerCase())): Promise<unknown> => {
      const { payload } = await write(path, instancePage('note', id, { about: 'x' }));
      expect(payload.ok).toBe(true);
      return payload.issues;
    };
    const named = [
      expect.objectContaining({ code: 'similar_id', message: expect.stringContaining(note('site-roadmap')) }),
    ];
    expect(await similar('Site Roadmap')).toEqual(named);
    expect(await similar('site_roadmap')).toEqual(named);
    // Writing it again is no news, and another name is none at all.
    expect(await similar('Site Roadmap')).toEqual([]);
    expect(await similar('site-roadmaps')).toEqual([]);
  });

  test('[PG70] no page is the folder of another', async () => {
    const content = instancePage('note', 'deep', { about: 'x' });
    expect(codes((await write(`${note('target')}/deep.md`, content)).payload)).toEqual([
      ['page_id_conflict', 'page_id'],
    ]);
    expect(codes((await write('markdown/instances/note', content)).payload)).toEqual([['page_id_conflict', 'page_id']]);
  });

  test('[PG61] text that is no Unicode is refused, nothing is written', async () => {
    for (const bad of ['\ud800', 'a\0b']) {
      const error = await ann.fails('update_page', {
        page_id: note('bad'),
        content: instancePage('note', 'bad', { about: 'x' }) + bad,
      });
      expect(error).toMatchObject({ code: -32602, data: { argument: 'content' } });
    }
    expect(await ann.call('expand', { page_id: note('bad') })).toEqual({ page: null });
  });

  test('[PG61] a page id outside markdown/ is a page like any other', async () => {
    const content = instancePage('note', 'elsewhere', { about: 'x' }, 'Here.\n');
    expect((await write('state.sqlite', content)).payload.ok).toBe(true);
    expect((await ann.call('expand', { page_id: 'state.sqlite' })).body).toBe('Here.\n');
  });
});

describe('validate', () => {
  test('[PG60] reports in order and writes nothing', async () => {
    const content = page(
      { type: 'instance', skill: 'note', link: '[[ghost::x]]' },
      '[[note::target]] [[note::gone]] [[spook::y]]\n',
    );
    const { ok, issues } = await ann.call('validate', { content, as_page_id: note('draft') });
    expect(ok).toBe(false);
    expect(codes({ issues })).toEqual([
      ['frontmatter_required_key_missing', 'frontmatter.id'],
      ['frontmatter_required_key_missing', 'frontmatter.id'],
      ['frontmatter_required_key_missing', 'frontmatter.about'],
      ['unknown_skill', 'line:6 col:33'],
      ['unknown_skill', 'frontmatter.link'],
      ['dangling_wikilink', 'line:6 col:18'],
    ]);
    expect(await ann.call('expand', { page_id: note('draft') })).toEqual({ page: null });
  });

  test('[PG60] access keys that do not say what they seem to are warned about', async () => {
    const skill = skillPage('odd', { visibility: 'private', acl: { read: 'staff', see: ['x'] }, acl_defaults: 'none' });
    const { ok, issues } = await ann.call('validate', { content: skill });
    expect(ok).toBe(true);
    expect(codes({ issues })).toEqual([
      ['frontmatter_acl_malformed', 'frontmatter.acl.read'],
      ['frontmatter_acl_malformed', 'frontmatter.acl.see'],
      ['frontmatter_acl_malformed', 'frontmatter.acl_defaults'],
      ['frontmatter_visibility_unknown', 'frontmatter.visibility'],
    ]);
    const shut = await ann.call('validate', { content: instancePage('note', 'n', { about: 'x', acl: 'private' }) });
    expect(codes(shut)).toEqual([['frontmatter_acl_malformed', 'frontmatter.acl']]);
  });

  test('[PG60] a report of errors is no error of the call', async () => {
    const answer = await ann.ask('validate', { content: 'no page' });
    expect([answer.payload.ok, answer.isError]).toEqual([false, false]);
  });
});
