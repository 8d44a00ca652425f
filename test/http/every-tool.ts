import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { instancePage, skillPage, type World } from '../world.ts';

const PAGE = 'markdown/instances/note/a.md';
const OTHER = 'markdown/instances/note/b.md';
const draft = (id: string, text: string): string => instancePage('note', id, { at: '2026-03-01T00:00:00Z' }, text);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A tarball that holds nothing. */
const NO_PAGES = gzipSync(Buffer.alloc(1024)).toString('base64');

/** Every tool of the pages with arguments that it takes, in an order in which each finds what it needs. */
export const EVERY_TOOL: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['update_page', { page_id: PAGE, content: draft('a', 'First words. ^p\n\nSee [[note::b]].\n') }],
  ['update_page', { page_id: PAGE, content: draft('a', 'Second words. ^p\n\nSee [[note::b]].\n'), base_version: 'v1' }],
  ['validate', { content: draft('x', '[[note::none]]\n') }],
  [
    'patch_page',
    { page_id: PAGE, anchor: 'p', action: 'replace', content: 'x', expected_sha256: hash('Second words.') },
  ],
  ['restore_page', { page_id: PAGE, version: 'v1' }],
  ['list_skills', {}],
  ['list_instances', { skill_id: 'note', order_by: 'at desc' }],
  ['resolve', { wikilink: '[[note::a]]' }],
  ['resolve', { wikilink: '[[note::none]]' }],
  ['expand', { page_id: PAGE, full: true }],
  ['expand', { page_id: PAGE, max_chars: 10 }],
  ['expand', { page_id: 'none.md' }],
  ['neighbours', { page_id: PAGE, direction: 'both' }],
  ['search', { q: 'words', explain: true }],
  ['search', { q: 'words', filter: { at: { like: 1 } } }],
  ['search', { q: 'zwetschgenquark' }],
  ['list_snapshots', { page_id: PAGE }],
  ['diff_page', { page_id: PAGE, from: 'v1', to: 'v2' }],
  ['provenance_ancestry', { page_id: PAGE }],
  ['provenance_ancestry', { page_id: PAGE, to_page: OTHER }],
  ['provenance_report', { kind: 'drift' }],
  ['move_page', { from: PAGE, to: OTHER }],
  ['delete_page', { page_id: OTHER }],
  ['purge_page', { page_id: OTHER }],
  ['add_group_member', { group_id: 'team', subject: 'ann' }],
  ['list_group_members', { group_id: 'team' }],
  ['remove_group_member', { group_id: 'team', subject: 'ann' }],
  ['tenant_create', { tenant_id: 'default' }],
  ['tenant_list', {}],
  ['tenant_get', {}],
  ['tenant_update', { display_name: 'Test' }],
  ['tenant_export', {}],
  ['tenant_import', { tarball_b64: NO_PAGES }],
  ['admin_quota', {}],
  ['admin_audit', {}],
  ['admin_index_query', { table: 'pages' }],
  ['admin_list_lanes', {}],
  ['admin_lane_keys', {}],
  ['admin_lane_blob', { key: 'markdown/skills/note.md' }],
  ['explain_access', { subject: 'ann', page_id: 'markdown/skills/note.md', verb: 'read' }],
  ['embedding_status', {}],
  ['embedding_reload', {}],
  ['rebuild', {}],
  ['tenant_delete', { tenant_id: 'default', confirm: 'default' }],
];

/** Makes what the calls start from; answers the bearer of an admin. */
export async function readied(w: World): Promise<string> {
  await w.put({ 'markdown/skills/note.md': skillPage('note') });
  return w.issuer.token({ sub: 'root', roles: ['escurel:admin'] });
}
