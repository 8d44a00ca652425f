import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, page, path, skill, skillPath, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'note', 'required_frontmatter: [about]');
  for (const kind of ['sql_view', 'document', 'openapi', 'mcp']) {
    await writeSkill(admin, `on-${kind}`, `backend: {kind: ${kind}}`);
  }
});
afterAll(() => cairn.stop());

const update = (page_id: string, content: string, args: object = {}, who = admin) =>
  who.ok('update_page', { page_id, content, ...args });
const stored = async (page_id: string): Promise<string | null> => (await admin.ok('expand', { page_id })).body ?? null;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const note = (id: string, body = 'x\n', header = ''): string => instance('note', id, `about: it\n${header}`, body);

test('E365 a new page, and an existing one', async () => {
  const page_id = path('note', 'new');
  expect(await update(page_id, note('new', 'one\n'))).toEqual({
    ok: true,
    issues: [],
    new_version: 'v1',
    auto_merged: false,
  });
  expect(await update(page_id, note('new', 'two\n'))).toMatchObject({
    ok: true,
    new_version: 'v2',
    auto_merged: false,
  });
  expect(await stored(page_id)).toBe('two\n');
});

test('E366 warnings are reported on success', async () => {
  expect(await update(path('note', 'warned'), note('warned', '[[note::nobody]]\n'))).toMatchObject({
    ok: true,
    issues: [{ severity: 'warning', code: 'dangling_wikilink' }],
  });
});

test('E367 a refusal lists every finding, and writes nothing', async () => {
  const page_id = path('note', 'refused');
  const answer = await update(page_id, note('refused', '[[note::nobody]] [[nosuch::x]]\n'));
  expect(answer.ok).toBe(false);
  expect(answer.issues.map(({ code }: { code: string }) => code)).toEqual(['unknown_skill', 'dangling_wikilink']);
  expect(answer).not.toHaveProperty('new_version');
  expect(await stored(page_id)).toBeNull();
});

test.each([
  ['dangling_wikilink', instance('note', 'blocked', 'about: "[[note::nobody]]"')],
  ['unknown_skill', note('blocked', '[[nosuch::x]]\n')],
  ['unknown_skill', note('blocked', '', 'see: "[[nosuch::x]]"')],
  ['frontmatter_required_key_missing', page('type: instance\nskill: note\nabout: it')],
  ['frontmatter_parse', 'no header'],
])('E368 E370 %s stops a write', async (code, content) => {
  const { ok, issues } = await update(path('note', 'blocked'), content);
  expect([ok, issues[0].code]).toEqual([false, code]);
  expect(await stored(path('note', 'blocked'))).toBeNull();
});

test.each([
  ['another required key', instance('note', 'passes')],
  ['an unknown skill of the page itself', instance('nosuch', 'passes')],
  ['params that cannot be read', skill('passes', 'params: nonsense')],
  ['a dangling link', note('passes', '[[note::nobody]] [[note::]]\n')],
  ['an unknown autonomy while the lint is off', skill('passes', 'autonomy: maybe')],
])('E369 %s is written', async (_, content) => {
  const { ok, issues } = await update('markdown/any/passes.md', content);
  expect([ok, issues.length > 0]).toEqual([true, true]);
});

test('E371 E372 require_exact_base asks for base_version', async () => {
  const page_id = path('note', 'exact');
  await update(page_id, note('exact'));
  const error = await admin.fails('update_page', { page_id, content: note('exact'), require_exact_base: true });
  expect([error.code, error.data.code]).toEqual([-32602, 'invalid_params']);
  expect(await update(page_id, note('exact'), { require_exact_base: true, base_version: 'v1' })).toMatchObject({
    ok: true,
    new_version: 'v2',
  });
  expect(await update(page_id, note('exact', 'y\n'), { require_exact_base: true, base_version: 'v1' })).toMatchObject({
    ok: false,
    issues: [{ code: 'conflict', location: 'base_version' }],
  });
});

test('E374 base_version that is the head', async () => {
  await update(path('note', 'based'), note('based'));
  expect(await update(path('note', 'based'), note('based', 'y\n'), { base_version: 'v1' })).toEqual({
    ok: true,
    issues: [],
    new_version: 'v2',
    auto_merged: false,
  });
});

test('E376 a stale base_version and two changes of the header are a conflict with the head', async () => {
  const page_id = path('note', 'stale');
  const head = note('stale', 'x\n', 'tier: gold');
  await update(page_id, note('stale', 'x\n', 'tier: none'));
  await update(page_id, head);
  const answer = await update(page_id, note('stale', 'x\n', 'tier: silver'), { base_version: 'v1' });
  expect(answer).toMatchObject({
    ok: false,
    head_version: 'v2',
    head_content: head,
    issues: [{ severity: 'error', code: 'conflict', location: 'base_version' }],
  });
  expect((await admin.ok('expand', { page_id })).frontmatter.tier).toBe('gold');
});

test.each(['v99', 'v0', '2', 'v', 'v1x', 'V1', 'v-1', '', 'latest', 'v1.0'])(
  'E379 base_version %j that names no stored version is a conflict',
  async base_version => {
    const page_id = path('note', 'unknown-base');
    await update(page_id, note('unknown-base', 'head\n'));
    const { ok, issues } = await update(page_id, note('unknown-base', 'mine\n'), { base_version });
    expect([ok, issues[0].code]).toEqual([false, 'conflict']);
    expect(await stored(page_id)).toBe('head\n');
  },
);

test('E382 of many writes on one base one wins, and none is lost silently', async () => {
  const page_id = path('note', 'race');
  await update(page_id, note('race', 'base\n'));
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      update(page_id, note('race', `base\n`, `by: writer-${at}`), { base_version: 'v1' }),
    ),
  );
  const won = answers.filter(({ ok }) => ok);
  expect(won).toHaveLength(1);
  const rest = answers.filter(({ ok }) => !ok);
  expect(rest.every(({ issues }) => issues[0].code === 'conflict')).toBe(true);
  expect((await admin.ok('expand', { page_id })).version).toBe('v2');
});

test('E382 writes without a base become a version each', async () => {
  const page_id = path('note', 'queue');
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => update(page_id, note('queue', `${at}\n`))));
  const versions = answers.map(({ new_version }) => new_version).toSorted();
  expect(versions).toEqual(['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8']);
});

test('base_sha256 guards by content; "" means there is no page yet', async () => {
  const page_id = path('note', 'hashed');
  const first = note('hashed', 'one\n');
  expect(await update(page_id, first, { base_sha256: '' })).toMatchObject({ ok: true });
  const again = await update(page_id, note('hashed', 'two\n'), { base_sha256: '' });
  expect(again).toMatchObject({
    ok: false,
    head_sha256: sha256(first),
    head_content: first,
    issues: [{ code: 'conflict', location: 'base_sha256' }],
  });
  expect(await update(page_id, note('hashed', 'two\n'), { base_sha256: sha256(first) })).toMatchObject({ ok: true });
  const { content_sha256 } = await admin.ok('expand', { page_id });
  expect(content_sha256).toBe(sha256(note('hashed', 'two\n')));
  const absent = await update(path('note', 'absent'), note('absent'), { base_sha256: content_sha256 });
  expect(absent).toMatchObject({ ok: false, head_sha256: '', head_content: null, issues: [{ code: 'conflict' }] });
});

test('L18 if_absent creates only', async () => {
  const page_id = path('note', 'once');
  expect(await update(page_id, note('once'), { if_absent: true })).toMatchObject({ ok: true });
  expect(await update(page_id, note('once', 'y\n'), { if_absent: true })).toMatchObject({
    ok: false,
    issues: [{ code: 'conflict' }],
  });
});

test.each(['sql_view', 'document', 'openapi', 'mcp'])(
  'E383 instances of a %s skill are read only, for admins too',
  async kind => {
    for (const who of [admin, agent]) {
      expect(await update(path(`on-${kind}`, 'x'), instance(`on-${kind}`, 'x'), {}, who)).toMatchObject({
        ok: false,
        issues: [{ severity: 'error', code: 'backend_read_only', location: 'frontmatter.backend_ref' }],
      });
    }
  },
);

test('E383 a page cannot be moved into such a skill by its header, nor under its folder by another', async () => {
  const page_id = path('note', 'sneaks');
  await update(page_id, note('sneaks'));
  expect((await update(page_id, instance('on-document', 'sneaks'))).issues[0].code).toBe('backend_read_only');
});

test('E384 the base layer is written by packs only', async () => {
  for (const [page_id, content] of [
    ['markdown/base/pack/skills/x.md', skill('x')],
    ['markdown/base/x.md', note('x')],
    [path('note', 'layered'), note('layered', '', 'layer: base@pack@v1')],
    [skillPath('layered'), skill('layered', 'layer: "base@pack@v1"')],
  ] as const) {
    expect(await update(page_id, content)).toMatchObject({
      ok: false,
      issues: [{ severity: 'error', code: 'layer_read_only', location: 'frontmatter.layer' }],
    });
  }
});

test('E385 layer: overlay is like no layer', async () => {
  expect(await update(path('note', 'over'), note('over', '', 'layer: overlay'))).toMatchObject({ ok: true });
});

test('E386 promotable: true is for curators, also to write over', async () => {
  const page_id = skillPath('promoted');
  const content = skill('promoted', 'promotable: true');
  expect(await update(page_id, content, {}, agent)).toMatchObject({
    ok: false,
    issues: [{ code: 'promotable_requires_curator', location: 'frontmatter.promotable' }],
  });
  expect(await update(page_id, content)).toMatchObject({ ok: true });
  expect((await update(page_id, content, {}, agent)).ok).toBe(false);
});

test('E387 promotable as a text is no marker', async () => {
  expect(await update(skillPath('text'), skill('text', 'promotable: "true"'), {}, agent)).toMatchObject({ ok: true });
});

test('[PG79] E393 E394 the writer is the verified subject, whatever is sent', async () => {
  const page_id = path('note', 'author');
  const provenance = { workflow: 'w', runner: 'r', principal: 'mallory', last_written_by: 'mallory' };
  const content = note('author', 'x\n', 'last_written_by: mallory\nauthor: mallory');
  await update(page_id, content, { provenance, subject: 'mallory', author: 'mallory' }, agent);
  const { page: read, ...rest } = await admin.ok('expand', { page_id });
  expect(read.last_written_by).toBe('dev@example.org');
  expect(JSON.stringify(rest)).not.toContain('workflow');
});

test('a committed page is a file too', async () => {
  const content = note('filed', 'Zeile\r\nmit CRLF\r\n');
  const page_id = path('note', 'filed');
  await update(page_id, content);
  await expect
    .poll(
      () => {
        try {
          return readFileSync(join(cairn.folder, 'data', page_id), 'utf8');
        } catch {
          return 'not yet';
        }
      },
      { timeout: 20_000 },
    )
    .toBe(content);
});

test('M06 a page that is JSON text stays text', async () => {
  const page_id = path('note', 'json');
  const content = `---\n{"type":"instance","skill":"note","id":"json","about":"it"}\n---\n{"a":[1,2]}`;
  expect(await update(page_id, content)).toMatchObject({ ok: true });
  expect(await stored(page_id)).toBe('{"a":[1,2]}');
});
