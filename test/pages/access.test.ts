import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, page, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
const people: Record<string, Caller> = {};
const at = (skill: string, id: string): string => `markdown/instances/${skill}/${id}.md`;
const WORD = 'Wolkenkuckucksheim';

beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' });
  for (const [name, groups] of Object.entries({
    ann: [],
    rita: ['readers'],
    wim: ['writers'],
    eve: ['public2', 'admin'],
  })) {
    people[name] = await w.as({ sub: name, groups });
  }
  await w.put({
    'markdown/skills/open.md': skillPage('open'),
    'markdown/skills/club.md': skillPage('club', {
      acl: { read: ['readers', 'writers'], create: ['writers'], update: ['writers'] },
    }),
    'markdown/skills/diary.md': skillPage('diary', { visibility: 'owner', owner_field: 'by' }),
    'markdown/skills/person.md': skillPage('person'),
    [at('person', 'ann')]: instancePage('person', 'ann', { credential: 'ann' }),
    [at('open', 'o')]: instancePage('open', 'o', {}, `Open ${WORD} [[club::c]] [[diary::d]] [[open::p]].\n`),
    [at('open', 'p')]: instancePage('open', 'p', { acl: { read: ['readers'] } }, `Narrowed ${WORD} [[open::o]].\n`),
    [at('open', 'shut')]: instancePage('open', 'shut', { acl: 'private' }, `Shut ${WORD} [[open::o]].\n`),
    [at('club', 'c')]: instancePage('club', 'c', {}, `Club ${WORD} [[open::o]].\n`),
    [at('club', 'w')]: instancePage('club', 'w', { acl: { read: ['wide'] } }, `Own block ${WORD} [[open::o]].\n`),
    [at('diary', 'd')]: instancePage('diary', 'd', { by: 'ann' }, `Diary ${WORD} [[open::o]].\n`),
    [at('diary', 'l')]: instancePage('diary', 'l', { by: '[[person::ann]]' }, `Linked diary ${WORD} [[open::o]].\n`),
    [at('diary', 'nobody')]: instancePage('diary', 'nobody', {}, `Nobody's ${WORD} [[open::o]].\n`),
  });
});
afterAll(() => w.end());

/** What a caller sees of every page, by every read. */
async function seen(who: Caller): Promise<Record<string, string[]>> {
  const skills = ['open', 'club', 'diary'];
  const listed = await Promise.all(skills.map(skill_id => who.call('list_instances', { skill_id })));
  const expanded: string[] = [];
  const resolved: string[] = [];
  for (const [skill, id] of ALL) {
    if ((await who.call('expand', { page_id: at(skill, id) })).page) expanded.push(at(skill, id));
    if ((await who.call('resolve', { wikilink: `[[${skill}::${id}]]` })).exists) resolved.push(at(skill, id));
  }
  const { hits } = await who.call('search', { q: WORD, granularity: 'page', k: 50 });
  const { edges } = await who.call('neighbours', { page_id: at('open', 'o'), direction: 'in' });
  return {
    listed: listed.flatMap(payload => payload.instances.map((row: { page_id: string }) => row.page_id)).sort(),
    expanded: expanded.sort(),
    resolved: resolved.sort(),
    found: hits.map((hit: { page_id: string }) => hit.page_id).sort(),
    linking: [...new Set<string>(edges.map((edge: { src_page: string }) => edge.src_page)), at('open', 'o')].sort(),
  };
}

const ALL = [
  ['open', 'o'],
  ['open', 'p'],
  ['open', 'shut'],
  ['club', 'c'],
  ['club', 'w'],
  ['diary', 'd'],
  ['diary', 'l'],
  ['diary', 'nobody'],
] as const;

describe('reading', () => {
  test.each([
    ['ann', [at('diary', 'd'), at('diary', 'l'), at('open', 'o')]],
    ['rita', [at('club', 'c'), at('open', 'o'), at('open', 'p')]],
    ['wim', [at('club', 'c'), at('open', 'o')]],
    ['eve', [at('open', 'o')]],
  ])('[PG50] %s sees the same pages on every read', async (name, expected) => {
    const sight = await seen(people[name]!);
    for (const [read, pages] of Object.entries(sight)) expect([read, pages]).toEqual([read, expected]);
  });

  test('[PG50] an admin sees all of them', async () => {
    const sight = await seen(w.admin);
    for (const pages of Object.values(sight)) expect(pages).toHaveLength(ALL.length);
  });

  test('[PG55] the edge to a hidden page is left out, and a hidden page has none', async () => {
    const { edges } = await people['eve']!.call('neighbours', { page_id: at('open', 'o'), direction: 'out' });
    expect(edges).toEqual([]);
    expect(await people['eve']!.call('neighbours', { page_id: at('club', 'c') })).toEqual({ edges: [] });
  });

  test('[PG51] a skill whose read rule shuts the caller out is not in the catalogue, an owner skill is', async () => {
    const ids = (payload: { skills: { id: string }[] }): string[] => payload.skills.map(row => row.id);
    expect(ids(await people['eve']!.call('list_skills'))).toEqual(['diary', 'escurel', 'open', 'person']);
    expect(ids(await people['rita']!.call('list_skills'))).toContain('club');
  });

  test('[PG50] a membership row counts from the next call on', async () => {
    const zoe = await w.as({ sub: 'zoe' });
    expect((await zoe.call('expand', { page_id: at('club', 'c') })).page).toBeNull();
    await w.admin.call('add_group_member', { group_id: 'readers', subject: 'zoe' });
    expect((await zoe.call('expand', { page_id: at('club', 'c') })).page).not.toBeNull();
    await w.admin.call('remove_group_member', { group_id: 'readers', subject: 'zoe' });
    expect((await zoe.call('expand', { page_id: at('club', 'c') })).page).toBeNull();
  });

  test('[PG60] a hidden target looks like a missing one', async () => {
    const draft = (target: string): string => instancePage('open', 'draft', {}, `[[${target}]]\n`);
    const [hidden, missing] = await Promise.all(
      ['club::c', 'club::zzz'].map(target => people['eve']!.call('validate', { content: draft(target) })),
    );
    const shape = (payload: { issues: { code: string; severity: string; location: string }[] }) =>
      payload.issues.map(({ code, severity, location }) => [code, severity, location]);
    expect(shape(hidden)).toEqual(shape(missing));
    expect(shape(hidden)).toEqual([['dangling_wikilink', 'warning', 'line:6 col:1']]);
  });
});

describe('writing', () => {
  const write = (who: string, page_id: string, content: string, more = {}) =>
    people[who]!.call('update_page', { page_id, content, ...more });
  const forbidden = (payload: { ok: boolean; issues: { code: string; location: string }[] }) =>
    !payload.ok && payload.issues[0]!.code === 'forbidden' && payload.issues[0]!.location === 'frontmatter';

  test('[PG66] create and update follow the skill', async () => {
    const content = instancePage('club', 'new', {}, 'New.\n');
    expect(forbidden(await write('rita', at('club', 'new'), content))).toBe(true);
    expect((await write('wim', at('club', 'new'), content)).ok).toBe(true);
    expect(forbidden(await write('rita', at('club', 'new'), content))).toBe(true);
    expect((await write('wim', at('club', 'new'), content)).ok).toBe(true);
    expect(forbidden(await write('wim', at('open', 'new'), instancePage('open', 'new')))).toBe(true);
  });

  test('[PG66] a draft cannot grant itself the right', async () => {
    const own = { acl: { update: ['public'], create: ['public'], read: ['public'] } };
    expect(forbidden(await write('eve', at('club', 'c'), instancePage('club', 'c', own)))).toBe(true);
    expect(forbidden(await write('eve', at('club', 'fresh'), instancePage('club', 'fresh', own)))).toBe(true);
  });

  test('[PG66] another skill, another type, an overlay or a twin is no way round', async () => {
    for (const draft of [
      page({ type: 'instance', skill: 'person', id: 'c' }),
      page({ type: 'instance', skill: 'nowhere', id: 'c' }),
      page({ type: 'skill', id: 'c' }),
      instancePage('club', 'c', { scenario: 'mine' }),
    ]) {
      expect(forbidden(await write('eve', at('club', 'c'), draft))).toBe(true);
      expect((await w.admin.call('expand', { page_id: at('club', 'c') })).version).toBe('v1');
    }
    expect(forbidden(await write('eve', 'aaa/first.md', instancePage('club', 'c')))).toBe(true);
    expect(forbidden(await write('eve', 'aaa/plan.md', instancePage('club', 'c', { scenario: 'mine' })))).toBe(true);
  });

  test('[PG66] changing the skill needs create on the new one too', async () => {
    await w.put({ [at('club', 'moving')]: instancePage('club', 'moving') });
    expect(forbidden(await write('wim', at('club', 'moving'), instancePage('open', 'moving')))).toBe(true);
    expect((await write('wim', at('club', 'moving'), instancePage('club', 'moving', { n: 1 }))).ok).toBe(true);
  });

  test('[PG66] owners write their own, by subject and by link; an orphan can be taken in', async () => {
    expect(
      (await write('ann', at('diary', 'd'), instancePage('diary', 'd', { by: 'ann' }, `Diary ${WORD} [[open::o]].\n`)))
        .ok,
    ).toBe(true);
    expect(forbidden(await write('eve', at('diary', 'd'), instancePage('diary', 'd', { by: 'eve' })))).toBe(true);
    expect((await write('ann', at('diary', 'mine'), instancePage('diary', 'mine', { by: 'ann' }))).ok).toBe(true);
    expect(forbidden(await write('ann', at('diary', 'yours'), instancePage('diary', 'yours', { by: 'eve' })))).toBe(
      true,
    );
    await w.put({ [at('diary', 'orphan')]: instancePage('diary', 'orphan', {}) });
    expect((await write('eve', at('diary', 'orphan'), instancePage('diary', 'orphan', { by: 'eve' }))).ok).toBe(true);
  });

  test('[PG66] skill pages may be written by anyone', async () => {
    expect((await write('eve', 'markdown/skills/eves.md', skillPage('eves'))).ok).toBe(true);
  });

  test('[PG63] a conflict shows nothing of a page that the caller may not read', async () => {
    await w.put({
      'markdown/skills/drop.md': skillPage('drop', {
        acl: { read: ['readers'], create: ['public'], update: ['public'] },
      }),
      [at('drop', 'x')]: instancePage('drop', 'x', {}, 'secret\n'),
    });
    const answer = await write('eve', at('drop', 'x'), instancePage('drop', 'x'), { base_version: 'v9' });
    expect([answer.ok, answer.head_version, answer.head_sha256, answer.head_content]).toEqual([false, 'v0', '', null]);
  });
});

describe('modes', () => {
  test('[PG67] log writes and warns, off writes', async () => {
    const eve = () => w.as({ sub: 'eve' });
    await w.restart({ CAIRN_WRITE_ACL: 'log' });
    const target = { page_id: at('club', 'c'), content: instancePage('club', 'c', {}, `Club ${WORD} [[open::o]].\n`) };
    expect((await (await eve()).call('update_page', target)).ok).toBe(true);
    expect(
      w.logged.filter(
        line => (line['page_id'] === at('club', 'c') && line['level'] === 'warn') || line['level'] === 40,
      ),
    ).not.toEqual([]);
    await w.restart({ CAIRN_WRITE_ACL: 'off' });
    expect((await (await eve()).call('update_page', target)).ok).toBe(true);
    await w.restart({ CAIRN_WRITE_ACL: 'enforce' });
  });

  test('[PG73] acl_defaults of the meta-skill replaces the tenant default', async () => {
    const page_id = 'markdown/skills/escurel.md';
    const { frontmatter, body } = await w.admin.call('expand', { page_id });
    await w.put({
      [page_id]: page({ ...frontmatter, acl_defaults: { read: ['readers'], create: ['writers'] } }, body),
    });
    expect((await people['eve']!.call('expand', { page_id: at('open', 'o') })).page).toBeNull();
    expect((await people['rita']!.call('expand', { page_id: at('open', 'o') })).page).not.toBeNull();
    const created = await people['wim']!.call('update_page', {
      page_id: at('open', 'made'),
      content: instancePage('open', 'made'),
    });
    expect(created.ok).toBe(true);
    await w.put({ [page_id]: page(frontmatter, body) });
  });
});

describe('headers that cannot be read', () => {
  test('[PG68] such a page is for admins, and such a skill page closes its instances', async () => {
    await w.settled();
    await w.stop();
    const spoil = (pageId: string): void => {
      const file = join(w.dataDir, pageId);
      writeFileSync(file, readFileSync(file, 'utf8').replace('type:', 'type: [unclosed\ntype2:'));
    };
    spoil(at('open', 'o'));
    spoil('markdown/skills/diary.md');
    await w.restart();
    await w.settled();
    const ann = await w.as({ sub: 'ann' });
    expect((await ann.call('expand', { page_id: at('open', 'o') })).page).toBeNull();
    expect((await w.admin.call('expand', { page_id: at('open', 'o') })).body).toContain(WORD);
    expect((await ann.call('expand', { page_id: at('diary', 'd') })).page).toBeNull();
    expect((await ann.call('search', { q: WORD, skill: 'diary' })).hits).toEqual([]);
  });
});
