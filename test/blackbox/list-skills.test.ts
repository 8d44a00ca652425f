import { afterAll, beforeAll, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { skill, skillPath, write, writeSkill } from './page.ts';

let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ CAIRN_AUTH_OIDC_ISSUER: issuer.issuer }, ROOMY);
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  agent = client(cairn.origin, await issuer.token({ sub: 'ann', roles: ['staff'] }));
  await writeSkill(admin, 'plain');
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

// oxlint-disable-next-line no-explicit-any -- rows are looked at as they come
const row = async (id: string, who = admin): Promise<any> =>
  (await who.ok('list_skills')).skills.find((each: { id: string }) => each.id === id);

let count = 0;
/** The row of a skill with this header. */
const rowOf = async (header: string, who = admin) => {
  const id = `skill-${(count += 1)}`;
  await writeSkill(admin, id, header);
  return row(id, who);
};

const MARKDOWN = { writable: true, granularity: 'block', search: 'hybrid', supports_crdt: true };

test('E189 E190 E164 E177 E181 a row of a skill that declares nothing', async () => {
  expect(await row('plain')).toEqual({
    id: 'plain',
    description: '',
    required_frontmatter: [],
    optional_frontmatter: [],
    is_event_typed: false,
    visibility: 'public',
    owner_field: null,
    backend: { kind: 'markdown' },
    capabilities: MARKDOWN,
    layer: 'overlay',
  });
});

test('E189 rows stand by page id', async () => {
  await write(admin, { 'zzz/first.md': skill('aaa'), 'aaa/last.md': skill('zzz') });
  const ids = (await admin.ok('list_skills')).skills.map(({ id }: { id: string }) => id);
  expect(ids.indexOf('zzz')).toBe(0);
  expect(ids.at(-1)).toBe('aaa');
});

test('E162 a skill that requires at is event-typed', async () => {
  expect(await rowOf('required_frontmatter: [title, at]')).toMatchObject({
    is_event_typed: true,
    required_frontmatter: ['title', 'at'],
  });
});

test('E163 lists that are none are empty, entries that are no text are dropped', async () => {
  const header = 'required_frontmatter: at\noptional_frontmatter: [a, 1, null, {b: c}, d]';
  expect(await rowOf(header)).toMatchObject({
    required_frontmatter: [],
    optional_frontmatter: ['a', 'd'],
    is_event_typed: false,
  });
});

test('E165 a skill without id goes by its page id', async () => {
  await write(admin, { 'markdown/skills/nameless.md': '---\ntype: skill\ndescription: none\n---\n' });
  expect(await row('markdown/skills/nameless.md')).toMatchObject({ description: 'none' });
});

test('E167 E168 E192 visibility is reported, with the block that follows from it', async () => {
  expect(await rowOf('visibility: owner\nowner_field: author')).toMatchObject({
    visibility: 'owner',
    owner_field: 'author',
    acl: { read: ['owner'], create: ['owner'], update: ['owner'], delete: ['owner'] },
  });
  expect(await rowOf('visibility: public')).toMatchObject({
    visibility: 'public',
    acl: { read: ['public'], create: ['admin'], update: ['admin'], delete: ['admin'] },
  });
  expect(await rowOf('visibility: ownr')).toMatchObject({ visibility: 'public', acl: { read: ['public'] } });
});

test('E166 E192 an acl block is shown with the verbs it declares, entries that are no list are omitted', async () => {
  expect((await rowOf('acl: {read: [staff, public], update: nobody}\nvisibility: owner')).acl).toEqual({
    read: ['staff', 'public'],
  });
});

test('E191 an agent sees no acl', async () => {
  await writeSkill(admin, 'guarded', 'acl: {read: [staff]}');
  expect(await row('guarded', agent)).toBeDefined();
  for (const each of (await agent.ok('list_skills')).skills) expect(each).not.toHaveProperty('acl');
});

test('E193 a skill whose read rule shuts the caller out is absent', async () => {
  expect(await rowOf('acl: {read: [board]}', agent)).toBeUndefined();
  expect(await rowOf('acl: {read: []}', agent)).toBeUndefined();
});

test('E194 owner counts as satisfied in the catalogue', async () => {
  expect(await rowOf('acl: {read: [owner]}', agent)).toBeDefined();
  expect(await rowOf('visibility: owner\nowner_field: author', agent)).toMatchObject({ visibility: 'owner' });
});

test('E195 a skill without a rule follows the tenant default', async () => {
  expect(await row('plain', agent)).toBeDefined();
});

test('E198 a skill that is not listed is still read and resolved', async () => {
  await writeSkill(admin, 'unlisted', 'acl: {read: [board]}');
  expect((await agent.ok('expand', { page_id: skillPath('unlisted') })).page).toMatchObject({ slug: 'unlisted' });
  expect((await agent.ok('resolve', { wikilink: '[[skill::unlisted]]' })).exists).toBe(true);
});

test('E169 E170 E171 autonomy is one of three words or left out; the page keeps what was written', async () => {
  expect(await rowOf('autonomy: Auto')).toMatchObject({ autonomy: 'auto' });
  expect(await rowOf('autonomy: " review "')).toMatchObject({ autonomy: 'review' });
  expect(await rowOf('autonomy: CONFIRM')).toMatchObject({ autonomy: 'confirm' });
  for (const bad of ['autonomy: automatic', 'autonomy: [auto]', 'autonomy: ""', 'autonmy: auto'])
    expect(await rowOf(bad)).not.toHaveProperty('autonomy');
  await writeSkill(admin, 'verbatim', 'autonomy: " AUTO "');
  expect((await admin.ok('expand', { page_id: skillPath('verbatim') })).frontmatter.autonomy).toBe(' AUTO ');
});

test('E172 E174 E175 E176 params from a list keep the order of the author', async () => {
  const header = `params:
  - {name: window, kind: String, required: true, label: Window, description: 'e.g. 30d'}
  - {name: depth, type: " INT "}
  - {name: dry, kind: bool}
  - {name: odd, kind: money}
  - {kind: string}
  - {name: last}`;
  expect((await rowOf(header)).params).toEqual([
    { name: 'window', kind: 'string', required: true, label: 'Window', description: 'e.g. 30d' },
    { name: 'depth', kind: 'integer', required: false },
    { name: 'dry', kind: 'boolean', required: false },
    { name: 'odd', kind: 'string', required: false },
    { name: 'last', kind: 'string', required: false },
  ]);
});

test('E173 params from a mapping keep the order of its keys', async () => {
  const { params } = await rowOf('params:\n  zeta: {kind: text, required: true}\n  alpha: {type: integer}\n  mid:');
  expect(params.map(({ name, kind }: Record<string, string>) => `${name} ${kind}`)).toEqual([
    'zeta string',
    'alpha integer',
    'mid string',
  ]);
});

test.each([
  ['workflow', 'workflow', MARKDOWN],
  ['nonsense', 'markdown', MARKDOWN],
  ['sql_view', 'sql_view', { writable: false, granularity: 'page', search: 'late_materialized', supports_crdt: false }],
  ['document', 'document', { writable: false, granularity: 'block', search: 'hybrid', supports_crdt: true }],
  ['openapi', 'openapi', { writable: false, granularity: 'page', search: 'none', supports_crdt: false }],
  ['mcp', 'mcp', { writable: false, granularity: 'page', search: 'none', supports_crdt: false }],
])('E178 E179 E180 backend %s', async (kind, shown, capabilities) => {
  expect(await rowOf(`backend: {kind: ${kind}}`)).toMatchObject({ backend: { kind: shown }, capabilities });
});
