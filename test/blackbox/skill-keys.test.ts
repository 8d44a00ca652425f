import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
});
afterAll(() => cairn.stop());

const RICH = `description: Everything at once
required_frontmatter: [id, at]
optional_frontmatter: [tone]
visibility: owner
owner_field: who
acl: {read: [public], update: [owner]}
backend: {kind: workflow}
layer: overlay
autonomy: confirm
params: [{name: window, kind: string, required: true, label: Window, description: e.g. 30d}]
promotable: true
house_key: {kept: [as, written]}`;

test('[PG51] E160 every key that a skill declares is read, others are kept', async () => {
  await write(admin, { [skillPath('rich')]: skill('rich', RICH) });
  const { skills } = await admin.ok('list_skills');
  expect(skills.find(({ id }: { id: string }) => id === 'rich')).toEqual({
    id: 'rich',
    description: 'Everything at once',
    required_frontmatter: ['id', 'at'],
    optional_frontmatter: ['tone'],
    is_event_typed: true,
    visibility: expect.any(String),
    owner_field: 'who',
    backend: { kind: 'workflow' },
    capabilities: { writable: true, granularity: 'block', search: 'hybrid', supports_crdt: true },
    layer: 'overlay',
    acl: { read: ['public'], update: ['owner'] },
    autonomy: 'confirm',
    params: [{ name: 'window', kind: 'string', required: true, label: 'Window', description: 'e.g. 30d' }],
  });
  expect((await agent.ok('expand', { page_id: skillPath('rich') })).frontmatter.house_key).toEqual({
    kept: ['as', 'written'],
  });
});

test('[PG65] E161 layer, promotable and the archive mark are for those whose business they are', async () => {
  const draft = async (header: string, who = agent) =>
    who.ok('update_page', { page_id: skillPath('ours'), content: skill('ours', header) });
  expect((await draft('layer: base@p@v1', admin)).issues[0].code).toBe('layer_read_only');
  expect((await draft('promotable: true')).issues[0].code).toBe('promotable_requires_curator');
  expect(await draft('promotable: true', admin)).toMatchObject({ ok: true });
  await agent.ok('update_page', { page_id: skillPath('ours'), content: skill('ours') });
  await agent.ok('delete_page', { page_id: skillPath('ours') });
  expect(await agent.ok('expand', { page_id: skillPath('ours') })).toEqual({ page: null });
});

test('[PG111] E237 E239 a cut shows the version of that moment, its header too, in an overlay as well', async () => {
  const page_id = path('rich', 'past');
  const put = (title: string, more = '') =>
    admin.ok('update_page', { page_id, content: instance('rich', 'past', `at: 2026-01-01\ntitle: ${title}${more}`) });
  await put('first');
  const { snapshots } = await agent.ok('list_snapshots', { page_id });
  await put('second');
  const then = await agent.ok('expand', { page_id, as_of: snapshots[0] });
  expect(then).toMatchObject({ frontmatter: { title: 'first' }, page: { last_written_by: null } });
  expect((await agent.ok('expand', { page_id })).frontmatter.title).toBe('second');
  expect(await agent.ok('expand', { page_id, as_of: snapshots[0], scenario: 'other' })).toMatchObject({
    frontmatter: { title: 'first' },
  });
});
