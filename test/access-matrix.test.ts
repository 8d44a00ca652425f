import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, instancePage, skillPage, world, type Answer, type Caller, type Payload, type World } from './world.ts';

const CALLERS = ['none', 'wrong', 'stranger', 'reader', 'writer', 'owner', 'admin'] as const;
type CallerName = (typeof CALLERS)[number];
type Outcome =
  | 'invalid_params'
  | 'sees'
  | 'absent'
  | 'writes'
  | 'forbidden'
  | 'not_found'
  | 'serves'
  | '401'
  | 'admin_required';

const CLUB = 'markdown/instances/club/c.md';
const DIARY = 'markdown/instances/diary/d.md';
const BOOK = 'markdown/instances/open/book.md';
const hopTo = (payload: Payload, id: string): boolean =>
  payload.hops.some((hop: { page_id: string }) => hop.page_id === id);
const draft = (skill: string, id: string, by?: string): string => instancePage(skill, id, by ? { by } : {}, 'sealed\n');

/** Outcomes in the order of CALLERS. Club pages: readers and writers read, writers write. Diary pages: their owner. */
const known = (...rest: Outcome[]): Outcome[] => ['401', '401', ...rest];
const READS_CLUB = known('absent', 'sees', 'sees', 'absent', 'sees');
const READS_DIARY = known('absent', 'absent', 'absent', 'sees', 'sees');
const WRITES_CLUB = known('forbidden', 'forbidden', 'writes', 'forbidden', 'writes');
const WRITES_DIARY = known('forbidden', 'forbidden', 'forbidden', 'writes', 'writes');
const TAKES_CLUB = known('not_found', 'forbidden', 'serves', 'not_found', 'serves');
const ADMIN_ONLY = known('admin_required', 'admin_required', 'admin_required', 'admin_required', 'serves');

interface Row {
  readonly args: object;
  readonly outcomes: readonly Outcome[];
  /** Whether the payload shows the page; absent for ops that show none. */
  readonly shows?: (payload: Payload) => boolean;
  /** What is made right before each call, for ops that use it up. */
  readonly before?: () => Promise<void>;
}

/** The hash of the one block that every draft has. */
const SEALED = createHash('sha256').update('sealed').digest('hex');
/** A tarball that holds nothing. */
const NO_PAGES = gzipSync(Buffer.alloc(1024)).toString('base64');
const VICTIM = 'markdown/instances/club/victim.md';
const ELSEWHERE = 'markdown/instances/club/elsewhere.md';
const alive = async (): Promise<void> => {
  await w.admin.call('delete_page', { page_id: ELSEWHERE });
  await w.put({ [VICTIM]: draft('club', 'victim') });
};
const archived = async (): Promise<void> => {
  await alive();
  await w.admin.call('delete_page', { page_id: VICTIM });
};

const MATRIX: Readonly<Record<string, readonly Row[]>> = {
  list_skills: [{ args: {}, outcomes: READS_CLUB, shows: p => p.skills.some((s: { id: string }) => s.id === 'club') }],
  list_instances: [
    { args: { skill_id: 'club' }, outcomes: READS_CLUB, shows: p => p.instances.length > 0 },
    { args: { skill_id: 'diary' }, outcomes: READS_DIARY, shows: p => p.instances.length > 0 },
  ],
  resolve: [
    { args: { wikilink: '[[club::c]]' }, outcomes: READS_CLUB, shows: p => p.exists },
    { args: { wikilink: '[[diary::d]]' }, outcomes: READS_DIARY, shows: p => p.exists },
  ],
  expand: [
    { args: { page_id: CLUB }, outcomes: READS_CLUB, shows: p => p.page !== null },
    { args: { page_id: DIARY }, outcomes: READS_DIARY, shows: p => p.page !== null },
  ],
  neighbours: [
    { args: { page_id: CLUB }, outcomes: READS_CLUB, shows: p => p.edges.length > 0 },
    { args: { page_id: DIARY }, outcomes: READS_DIARY, shows: p => p.edges.length > 0 },
  ],
  provenance_ancestry: [
    { args: { page_id: CLUB }, outcomes: READS_CLUB, shows: p => p.hops.length > 0 },
    { args: { page_id: DIARY }, outcomes: READS_DIARY, shows: p => p.hops.length > 0 },
    { args: { page_id: BOOK, direction: 'down' }, outcomes: READS_CLUB, shows: p => hopTo(p, CLUB) },
  ],
  list_snapshots: [
    { args: { page_id: CLUB }, outcomes: READS_CLUB, shows: p => p.snapshots.length > 0 },
    { args: { page_id: DIARY }, outcomes: READS_DIARY, shows: p => p.snapshots.length > 0 },
  ],
  diff_page: [
    { args: { page_id: CLUB, from: 'v1' }, outcomes: READS_CLUB, shows: p => p.unified !== null },
    { args: { page_id: DIARY, from: 'v1' }, outcomes: READS_DIARY, shows: p => p.unified !== null },
  ],
  provenance_report: [{ args: { kind: 'abandoned' }, outcomes: READS_CLUB, shows: p => p.rows.length > 0 }],
  search: [
    { args: { q: 'sealed', skill: 'club' }, outcomes: READS_CLUB, shows: p => p.hits.length > 0 },
    { args: { q: 'sealed', skill: 'diary' }, outcomes: READS_DIARY, shows: p => p.hits.length > 0 },
  ],
  validate: [
    {
      args: { content: instancePage('open', 'x', {}, '[[club::c]]\n') },
      outcomes: READS_CLUB,
      shows: p => p.issues.length === 0,
    },
  ],
  update_page: [
    { args: { page_id: CLUB, content: draft('club', 'c') }, outcomes: WRITES_CLUB },
    { args: { page_id: DIARY, content: draft('diary', 'd', 'owner') }, outcomes: WRITES_DIARY },
  ],
  patch_page: [
    {
      args: { page_id: VICTIM, anchor: 'blk-0', action: 'replace', content: 'x', expected_sha256: SEALED },
      outcomes: known('not_found', 'forbidden', 'writes', 'not_found', 'writes'),
      before: alive,
    },
  ],
  delete_page: [{ args: { page_id: VICTIM }, outcomes: TAKES_CLUB, before: alive }],
  move_page: [{ args: { from: VICTIM, to: ELSEWHERE }, outcomes: TAKES_CLUB, before: alive }],
  restore_page: [
    {
      args: { page_id: CLUB, version: 'v1' },
      outcomes: known('not_found', 'forbidden', 'writes', 'not_found', 'writes'),
    },
    {
      args: { page_id: DIARY, version: 'v1' },
      outcomes: known('not_found', 'not_found', 'not_found', 'writes', 'writes'),
    },
  ],
  purge_page: [{ args: { page_id: VICTIM }, outcomes: ADMIN_ONLY, before: archived }],
  add_group_member: [{ args: { group_id: 'g', subject: 's' }, outcomes: ADMIN_ONLY }],
  list_group_members: [{ args: { group_id: 'g' }, outcomes: ADMIN_ONLY }],
  remove_group_member: [{ args: { group_id: 'g', subject: 's' }, outcomes: ADMIN_ONLY }],
  tenant_get: [{ args: { tenant_id: '' }, outcomes: ADMIN_ONLY }],
  tenant_update: [{ args: { tenant_id: '', display_name: 'Tenant' }, outcomes: ADMIN_ONLY }],
  admin_quota: [{ args: { tenant_id: '' }, outcomes: ADMIN_ONLY }],
  tenant_create: [{ args: { tenant_id: 'default' }, outcomes: ADMIN_ONLY }],
  tenant_list: [{ args: {}, outcomes: ADMIN_ONLY }],
  tenant_delete: [
    {
      // Not confirmed: the other rows need their pages.
      args: { tenant_id: 'default', confirm: 'other' },
      outcomes: known(...ADMIN_ONLY.slice(2, -1), 'invalid_params'),
    },
  ],
  tenant_export: [{ args: { tenant_id: '' }, outcomes: ADMIN_ONLY }],
  tenant_import: [{ args: { tenant_id: '', tarball_b64: NO_PAGES }, outcomes: ADMIN_ONLY }],
  explain_access: [{ args: { subject: 's', page_id: CLUB, verb: 'read' }, outcomes: ADMIN_ONLY }],
  admin_audit: [{ args: { tenant_id: '' }, outcomes: ADMIN_ONLY }],
  rebuild: [{ args: { tenant_id: '' }, outcomes: ADMIN_ONLY }],
  admin_index_query: [{ args: { table: 'pages' }, outcomes: ADMIN_ONLY }],
  embedding_reload: [{ args: {}, outcomes: ADMIN_ONLY }],
  embedding_status: [{ args: {}, outcomes: ADMIN_ONLY }],
  admin_list_lanes: [{ args: {}, outcomes: ADMIN_ONLY }],
  admin_lane_keys: [{ args: {}, outcomes: ADMIN_ONLY }],
  admin_lane_blob: [{ args: { key: CLUB }, outcomes: ADMIN_ONLY }],
};

let w: World;
const callers = {} as Record<CallerName, Caller>;

beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' });
  callers.none = caller(() => w.url, undefined);
  callers.wrong = caller(() => w.url, 'not-a-token');
  callers.stranger = await w.as({ sub: 'stranger', groups: ['admin', 'owner', 'elsewhere'] });
  callers.reader = await w.as({ sub: 'reader', groups: ['readers'] });
  callers.writer = await w.as({ sub: 'writer', groups: ['writers'] });
  callers.owner = await w.as({ sub: 'owner' });
  callers.admin = w.admin;
  const acl = { read: ['readers', 'writers'], create: ['writers'], update: ['writers'] };
  await w.put({
    'markdown/skills/open.md': skillPage('open'),
    'markdown/skills/club.md': skillPage('club', { acl }),
    'markdown/skills/diary.md': skillPage('diary', { visibility: 'owner', owner_field: 'by' }),
    [BOOK]: instancePage('open', 'book'),
    [CLUB]: instancePage('club', 'c', { supersedes: '[[open::book]]' }, 'sealed [[club::c]]\n'),
    [DIARY]: instancePage('diary', 'd', { by: 'owner', uses: '[[open::book]]' }, 'sealed [[diary::d]]\n'),
  });
});
afterAll(() => w.end());

function outcomeOf(answer: Answer, shows: Row['shows']): Outcome | string {
  if (answer.status === 401) return '401';
  if (answer.error) return String(answer.error.data?.['code'] ?? answer.error.code);
  const refusal = answer.isError ? answer.payload.issues?.[0]?.code : undefined;
  if (refusal !== undefined) return refusal;
  if (shows) return shows(answer.payload) ? 'sees' : 'absent';
  return answer.payload.new_version === undefined ? 'serves' : 'writes';
}

describe('who may call what', () => {
  test('[PG50] the matrix names every op', async () => {
    const answer = await fetch(`${w.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await w.issuer.token({ sub: 'root', roles: ['escurel:admin'] })}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
    const listed = result.tools.map(tool => tool.name).sort();
    expect(listed.length).toBeGreaterThan(0);
    expect(Object.keys(MATRIX).sort()).toEqual(listed);
  });

  for (const [op, rows] of Object.entries(MATRIX)) {
    for (const [number, row] of rows.entries()) {
      test.each(CALLERS.map((name, index) => [name, row.outcomes[index]!] as const))(
        `[PG50] [PG66] ${op} ${number + 1} as %s: %s`,
        async (name, expected) => {
          await row.before?.();
          expect(outcomeOf(await callers[name].ask(op, row.args), row.shows)).toBe(expected);
        },
      );
    }
  }
});
