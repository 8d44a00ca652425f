import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainAccessOp } from '../../src/admin/explain-access.op.ts';
import { tarOf } from './tar-builder.ts';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

const at = (skill: string, id: string): string => `markdown/instances/${skill}/${id}.md`;
const PAGES: Readonly<Record<string, string>> = {
  'markdown/skills/open.md': skillPage('open'),
  'markdown/skills/club.md': skillPage('club', {
    acl: { read: ['readers'], create: ['writers'], update: ['writers'] },
  }),
  'markdown/skills/half.md': skillPage('half', { acl: { update: ['writers', 'admin'] } }),
  'markdown/skills/diary.md': skillPage('diary', { visibility: 'owner', owner_field: 'by' }),
  'markdown/skills/person.md': skillPage('person'),
  'markdown/skills/broken.md': skillPage('broken', { acl: 'nobody' }),
  [at('person', 'ann')]: instancePage('person', 'ann', { credential: 'ann' }),
  [at('open', 'o')]: instancePage('open', 'o'),
  [at('open', 'own')]: instancePage('open', 'own', { acl: { read: ['wide', 'readers'] } }),
  [at('open', 'shut')]: instancePage('open', 'shut', { acl: 'private' }),
  [at('club', 'c')]: instancePage('club', 'c'),
  [at('half', 'h')]: instancePage('half', 'h'),
  [at('diary', 'd')]: instancePage('diary', 'd', { by: 'ann' }),
  [at('diary', 'l')]: instancePage('diary', 'l', { by: '[[person::ann]]' }),
  [at('diary', 'lost')]: instancePage('diary', 'lost', { by: '[[person::nobody]]' }),
  [at('diary', 'none')]: instancePage('diary', 'none'),
  [at('broken', 'b')]: instancePage('broken', 'b'),
};

let w: World;
beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' });
  await w.put(PAGES);
  await w.admin.call('add_group_member', { group_id: 'writers', subject: 'row' });
});
afterAll(() => w.end());

const explain = (subject: string, page_id: string, verb: string, more: object = {}) =>
  w.admin.call('explain_access', { subject, page_id, verb, ...more });

test.each([
  ['eve', [], at('open', 'o'), 'read', { allowed: true, decided_by: 'tenant_default', group: 'public' }],
  [
    'eve',
    [],
    at('open', 'o'),
    'update',
    { allowed: false, decided_by: 'tenant_default', group: null, named: ['admin'] },
  ],
  ['eve', ['x', 'readers'], at('open', 'own'), 'read', { allowed: true, decided_by: 'instance', group: 'readers' }],
  [
    'eve',
    ['x'],
    at('open', 'own'),
    'read',
    { allowed: false, decided_by: 'instance', named: ['wide', 'readers'], group: null },
  ],
  ['eve', ['x'], at('open', 'shut'), 'read', { allowed: false, decided_by: 'instance', named: null }],
  [
    'eve',
    ['readers'],
    at('club', 'c'),
    'read',
    { allowed: true, decided_by: 'skill', group: 'readers', skill: 'club' },
  ],
  ['eve', ['readers'], at('club', 'c'), 'update', { allowed: false, decided_by: 'skill', named: ['writers'] }],
  ['eve', ['writers'], at('club', 'c'), 'delete', { allowed: true, decided_by: 'skill', group: 'writers' }],
  ['eve', [], at('half', 'h'), 'read', { allowed: true, decided_by: 'tenant_default', group: 'public' }],
  ['eve', ['admin'], at('half', 'h'), 'update', { allowed: false, decided_by: 'skill', group: null }],
  ['eve', ['wide'], at('broken', 'b'), 'read', { allowed: false, decided_by: 'skill', named: null }],
  ['ann', [], at('diary', 'd'), 'read', { allowed: true, decided_by: 'skill', group: 'owner', owner_field: 'by' }],
  ['ann', [], at('diary', 'l'), 'update', { allowed: true, decided_by: 'skill', group: 'owner' }],
  ['eve', ['owner'], at('diary', 'd'), 'read', { allowed: false, decided_by: 'skill', group: null, named: ['owner'] }],
  ['eve', [], 'markdown/skills/club.md', 'read', { allowed: true, decided_by: 'skill_page' }],
] as const)('[AD33] %s %j %s %s', async (subject, groups, page_id, verb, expected) => {
  expect(await explain(subject, page_id, verb, { groups })).toMatchObject({ depends_on_owner: false, ...expected });
});

test('[AD33] the admin role passes everything', async () => {
  for (const page_id of [at('open', 'shut'), at('diary', 'none')]) {
    expect(await explain('root', page_id, 'update', { admin: true })).toMatchObject({
      allowed: true,
      decided_by: 'admin',
    });
  }
});

test('[AD33] an unreadable header is for admins', async () => {
  const file = at('open', 'unreadable');
  const entry = { name: file.slice('markdown/'.length), data: '---\nid: [\n---\n' };
  await w.admin.call('tenant_import', { tarball_b64: tarOf([entry]).toString('base64') });
  expect(await explain('eve', file, 'read')).toMatchObject({ allowed: false, decided_by: 'unreadable' });
});

describe('[AD33] agrees with what callers see and may do', () => {
  const people: readonly (readonly [string, readonly string[]])[] = [
    ['ann', []],
    ['row', []],
    ['eve', ['readers', 'admin', 'owner']],
    ['wim', ['writers', 'wide']],
  ];
  test.each(people)('[AD33] %s %j', async (subject, groups) => {
    const who: Caller = await w.as({ sub: subject, groups });
    for (const page_id of Object.keys(PAGES)) {
      const { allowed } = await explain(subject, page_id, 'read', { groups });
      expect([page_id, (await who.call('expand', { page_id })).page !== null]).toEqual([page_id, allowed]);
      if (!page_id.includes('/instances/')) continue;
      const update = await explain(subject, page_id, 'update', { groups });
      if (update.depends_on_owner) continue;
      const { issues } = await who.call('update_page', { page_id, content: PAGES[page_id]! });
      const forbidden = issues.some((issue: { code: string }) => issue.code === 'forbidden');
      expect([page_id, forbidden]).toEqual([page_id, !update.allowed]);
    }
  });
});

test('[AD34] membership rows count, reserved names do not', async () => {
  const groups = ['public', 'owner', 'admin', 'own'];
  const row = await explain('row', at('club', 'c'), 'update', { groups });
  expect(row).toMatchObject({ allowed: true, group: 'writers', groups: ['own', 'public', 'writers'] });
  expect(await explain('other', at('club', 'c'), 'update', { groups })).toMatchObject({ allowed: false });
});

test('[AD35] a create is decided by the skill', async () => {
  const fresh = { decided_by: 'skill', skill: 'club' };
  expect(await explain('row', at('club', 'new'), 'create')).toMatchObject({
    ...fresh,
    allowed: true,
    group: 'writers',
  });
  expect(await explain('eve', at('club', 'new'), 'create')).toMatchObject({ ...fresh, allowed: false });
  expect(await explain('eve', at('open', 'own'), 'create')).toMatchObject({ decided_by: 'tenant_default' });
});

test('[AD35] where the text to come decides, it says so', async () => {
  const open = { allowed: false, depends_on_owner: true, owner_field: 'by', group: 'owner' };
  expect(await explain('eve', at('diary', 'new'), 'create')).toMatchObject(open);
  expect(await explain('eve', at('diary', 'none'), 'update')).toMatchObject(open);
  expect(await explain('eve', at('diary', 'lost'), 'update')).toMatchObject(open);
  expect(await explain('eve', at('diary', 'none'), 'read')).toMatchObject({ allowed: false, depends_on_owner: false });
});

test('[AD36] absent and archived pages, bad ids and verbs', async () => {
  const fails = (args: object) => w.admin.fails('explain_access', { subject: 's', verb: 'read', ...args });
  const page_id = at('open', 'archived');
  await w.put({ [page_id]: instancePage('open', 'archived') });
  await w.admin.call('delete_page', { page_id });
  for (const verb of ['read', 'delete']) {
    expect(await fails({ page_id, verb })).toMatchObject({ code: -32602, data: { code: 'not_found' } });
    expect(await fails({ page_id: 'none.md', verb })).toMatchObject({ data: { code: 'not_found' } });
  }
  expect(await explain('s', page_id, 'update')).toMatchObject({ decided_by: 'tenant_default' });
  expect(await fails({ page_id: '../x' })).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
  expect(await fails({ page_id, verb: 'archive' })).toMatchObject({ code: -32602 });
  expect(await fails({ page_id, subject: '' })).toMatchObject({ code: -32602 });
});

test('[AD36] tells whether writes are held to it', async () => {
  const mode = async (verb: string) => (await explain('s', at('open', 'o'), verb)).mode;
  expect([await mode('read'), await mode('update')]).toEqual(['enforce', 'enforce']);
  await w.restart({ CAIRN_WRITE_ACL: 'log' });
  expect([await mode('read'), await mode('update')]).toEqual(['enforce', 'log']);
});

test('[AD37] how the tool is published', () => {
  const { name, effect, execution, scope, quota } = explainAccessOp;
  expect([name, effect, execution, scope, quota]).toEqual(['explain_access', 'read', 'deterministic', 'admin', 'none']);
});
