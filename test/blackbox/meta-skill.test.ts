import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ROOMY, startCairn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { skillPath, writeInstance, writeSkill } from './page.ts';

const META = skillPath('escurel');
let issuer: TestIssuer;
let cairn: Cairn;
let admin: Client;
let agent: Client;
let shipped = '';
let text = '';
beforeAll(async () => {
  issuer = await startIssuer();
  cairn = await startCairn({ ESCUREL_AUTH_OIDC_ISSUER: issuer.issuer, ESCUREL_WRITE_ACL: 'enforce' }, ROOMY);
  admin = client(cairn.origin, await issuer.token({ sub: 'root', roles: ['escurel:admin'] }));
  agent = client(cairn.origin, await issuer.token({ sub: 'ann', roles: ['staff'] }));
  shipped = await read();
});
beforeEach(async () => {
  text = await read();
});
afterAll(async () => {
  await cairn.stop();
  await issuer.stop();
});

/** The stored page as a file would hold it. */
async function read(): Promise<string> {
  const { frontmatter, body } = await admin.ok('expand', { page_id: META });
  return `---\n${JSON.stringify(frontmatter)}\n---\n${body}`;
}
const update = (content: string) => admin.ok('update_page', { page_id: META, content });
/** The one issue of an update that must be refused and change nothing. */
async function refusal(content: string) {
  const { ok, issues } = await update(content);
  expect([ok, issues.length, await read()]).toEqual([false, 1, text]);
  return issues[0];
}
const PROTECTED = { severity: 'error', code: 'meta_skill_protected', location: 'frontmatter' };

test('E182 list_skills names it', async () => {
  const { skills } = await agent.ok('list_skills');
  expect(skills.map(({ id }: { id: string }) => id)).toEqual(['escurel']);
});

test('E188 it has nine sections', () => {
  const headings = shipped.match(/^## .+$/gm) ?? [];
  expect(headings).toHaveLength(9);
  for (const about of [
    /disco/i,
    /navig|move|around/i,
    /time/i,
    /origin|where/i,
    /writ/i,
    /tool/i,
    /search/i,
    /not|anti/i,
    /layer|pack/i,
  ])
    expect(headings.some(heading => about.test(heading))).toBe(true);
});

test('E183 a write that drops a heading of level two is refused', async () => {
  for (const heading of shipped.match(/^## .+$/gm) ?? []) {
    for (const instead of ['', `${heading}!\n`, `#${heading}\n`])
      expect(await refusal(text.replace(`${heading}\n`, instead))).toMatchObject(PROTECTED);
  }
});

test('E184 sections may be added and are protected from then on', async () => {
  expect(await update(`${text}\n## House rules\n\nBe kind.\n`)).toMatchObject({ ok: true });
  text = await read();
  expect(await refusal(text.replace('## House rules', '## Other rules'))).toMatchObject(PROTECTED);
});

test('E185 type and id stay, and the page stays readable', async () => {
  for (const content of [
    text.replace('"type":"skill"', '"type":"instance"'),
    text.replace('"id":"escurel"', '"id":"other"'),
    'no header at all',
    text.replace('---\n{', '---\n{{'),
    // A rebuild would archive it (E145).
    text.replace('---\n{', '---\n{"archived":true,'),
  ])
    expect(await refusal(content)).toMatchObject(PROTECTED);
});

test('E187 acl_defaults replaces the tenant default as a whole', async () => {
  await writeSkill(admin, 'note');
  const page_id = await writeInstance(admin, 'note', 'one');
  expect((await agent.ok('expand', { page_id })).page).not.toBeNull();

  const withDefaults = (defaults: object) =>
    text.replace('---\n{', `---\n{"acl_defaults":${JSON.stringify(defaults)},`);
  expect(await update(withDefaults({ read: ['crew'] }))).toMatchObject({ ok: true });
  expect(await agent.ok('expand', { page_id })).toEqual({ page: null });
  const { skills } = await agent.ok('list_skills');
  expect(skills).toEqual([]);

  // read and update are named; create is not, so nobody but admins may add pages.
  expect(await update(withDefaults({ read: ['staff'], update: ['staff'] }))).toMatchObject({ ok: true });
  expect((await agent.ok('expand', { page_id })).page).not.toBeNull();
  const content = '---\ntype: instance\nskill: note\nid: one\n---\nNew\n';
  expect(await agent.ok('update_page', { page_id, content })).toMatchObject({ ok: true });
  const other = 'markdown/instances/note/two.md';
  expect(
    await agent.ok('update_page', { page_id: other, content: content.replace('id: one', 'id: two') }),
  ).toMatchObject({
    ok: false,
    issues: [{ code: 'forbidden' }],
  });
});
