import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, page, path, write, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'note');
});
afterAll(() => cairn.stop());

let count = 0;
const text = (header: string, body: string): string => instance('note', 'merged', header, body);

/** Writes base and head, then the draft on the base; what came of it. */
async function merge(base: string, head: string, draft: string, more: object = {}, who = admin) {
  const page_id = path('note', `merged-${(count += 1)}`);
  await write(admin, { [page_id]: base });
  await write(admin, { [page_id]: head });
  const answer = await who.ok('update_page', { page_id, content: draft, base_version: 'v1', ...more });
  return { answer, stored: await admin.ok('expand', { page_id }) };
}

const BODY = 'One.\n\nTwo.\n\nThree.\n\nFour.\n';

test('E375 disjoint edits of a stale base are both kept', async () => {
  const head = text('tier: gold', BODY.replace('One.', 'One, of the head.'));
  const draft = text('tier: gold', BODY.replace('Four.', 'Four, of the draft.'));
  const { answer, stored } = await merge(text('tier: gold', BODY), head, draft);
  expect(answer).toMatchObject({ ok: true, auto_merged: true, new_version: 'v3' });
  expect(stored.body).toBe('One, of the head.\n\nTwo.\n\nThree.\n\nFour, of the draft.\n');
});

test('E377 a header that one side changed, and a body that the other did', async () => {
  const { answer, stored } = await merge(
    text('tier: a', BODY),
    text('tier: b', BODY),
    text('tier: a', `${BODY}More.\n`),
  );
  expect(answer).toMatchObject({ ok: true, auto_merged: true });
  expect([stored.frontmatter.tier, stored.body]).toEqual(['b', `${BODY}More.\n`]);
});

test('E376 E377 a header that is neither side’s is a conflict', async () => {
  const head = text('tier: b\nsize: 1', BODY);
  const { answer, stored } = await merge(text('tier: a\nsize: 1', BODY), head, text('tier: a\nsize: 2', BODY));
  expect(answer).toMatchObject({
    ok: false,
    head_version: 'v2',
    head_content: head,
    issues: [{ code: 'conflict', location: 'base_version' }],
  });
  expect(stored.version).toBe('v2');
});

test('E378 overlapping edits of the body keep both texts', async () => {
  const head = text('', BODY.replace('Two.', 'Two red.'));
  const { answer, stored } = await merge(text('', BODY), head, text('', BODY.replace('Two.', 'Two blue.')));
  expect(answer).toMatchObject({ ok: true, auto_merged: true });
  expect(stored.body).toContain('red');
  expect(stored.body).toContain('blue');
});

test('E380 the same three texts merge to the same text', async () => {
  const texts = [
    text('', BODY),
    text('', BODY.replace('Two.', 'Zwei.')),
    text('', BODY.replace('Two.', 'Deux.')),
  ] as const;
  const bodies = [await merge(...texts), await merge(...texts), await merge(...texts)].map(({ stored }) => stored.body);
  expect(new Set(bodies).size).toBe(1);
});

test('require_exact_base never merges, nor does a stale base_sha256', async () => {
  const [base, head, draft] = [text('', BODY), text('', `Head.\n\n${BODY}`), text('', `${BODY}\nDraft.\n`)] as const;
  const exact = await merge(base, head, draft, { require_exact_base: true });
  expect(exact.answer).toMatchObject({ ok: false, issues: [{ code: 'conflict' }] });
  const hashed = await merge(base, head, draft, { base_version: undefined, base_sha256: '0'.repeat(64) });
  expect(hashed.answer).toMatchObject({ ok: false, issues: [{ code: 'conflict', location: 'base_sha256' }] });
});

test('E388 a merge cannot bring what a draft may not: the curator’s mark, the base layer, a broken link', async () => {
  const base = text('tier: a', BODY);
  const promoted = text('tier: a\npromotable: true', BODY);
  const { answer } = await merge(base, promoted, text('tier: a', `${BODY}More.\n`), {}, agent);
  expect(answer).toMatchObject({ ok: false, issues: [{ code: 'promotable_requires_curator' }] });
  const layered = await merge(base, text('tier: b', BODY), text('tier: a\nlayer: base@x@v1', BODY));
  expect(layered.answer).toMatchObject({ ok: false, issues: [{ code: 'layer_read_only' }] });
  const linked = await merge(base, text('tier: a', `Head.\n\n${BODY}`), text('tier: a', `${BODY}[[nosuch::x]]\n`));
  expect([linked.answer.ok, linked.answer.issues[0].code]).toEqual([false, 'unknown_skill']);
});

test('a hidden page is no base to merge with', async () => {
  const closed = (body: string) => text('acl: {read: [], update: [public]}', body);
  const { answer, stored } = await merge(
    closed(BODY),
    closed(`Geheim.\n\n${BODY}`),
    closed(`${BODY}Mine.\n`),
    {},
    agent,
  );
  expect(answer.ok).toBe(false);
  expect(JSON.stringify(answer)).not.toContain('Geheim');
  expect(stored.version).toBe('v2');
});

test('E231 nobody is named as the writer of a past state', async () => {
  const page_id = path('note', 'past');
  await write(admin, { [page_id]: page('type: instance\nskill: note\nid: past') });
  const read = await admin.ok('expand', { page_id, as_of: '2999-01-01T00:00:00Z' });
  expect([read.page.slug, read.page.last_written_by]).toEqual(['past', null]);
});

test.each(['delete_page', 'purge_page', 'move_page'])('E186 %s of the meta-skill is refused', async tool => {
  const page_id = 'markdown/skills/escurel.md';
  const { issues, ok } = await admin.ok(tool, { page_id, from: page_id, to: 'markdown/skills/other.md' });
  expect([ok, issues[0].code]).toEqual([false, 'meta_skill_protected']);
  await write(admin, { [path('note', 'mover')]: instance('note', 'mover') });
  const onto = await admin.ok('move_page', { from: path('note', 'mover'), to: page_id });
  expect([onto.ok, onto.issues[0].code]).toEqual([false, 'meta_skill_protected']);
});

test('E244 E269 E363 a deleted page is absent for every read and check', async () => {
  const page_id = path('note', 'gone');
  await write(admin, { [page_id]: instance('note', 'gone', '', 'Vergänglich\n') });
  await write(admin, { [path('note', 'points')]: instance('note', 'points', '', '[[note::gone]]\n') });
  expect(await agent.ok('delete_page', { page_id })).toEqual({ ok: true, issues: [], page_id });
  expect(await admin.ok('expand', { page_id })).toEqual({ page: null });
  expect((await admin.ok('search', { q: 'Vergänglich' })).hits).toEqual([]);
  expect((await admin.ok('neighbours', { page_id })).edges).toEqual([]);
  expect((await admin.ok('resolve', { wikilink: '[[note::gone]]' })).exists).toBe(false);
  const { issues } = await admin.ok('validate', { content: instance('note', 'p', '', '[[note::gone]]\n') });
  expect(issues).toMatchObject([{ code: 'dangling_wikilink' }]);
});

test('E378 E380 a draft sent again with its old base leaves the text as it is', async () => {
  const again = text('', 'one, and more\n\ntwo\n');
  const { answer, stored } = await merge(text('', 'one\n\ntwo\n'), again, again);
  expect([answer.ok, stored.body]).toEqual([true, 'one, and more\n\ntwo\n']);
});
