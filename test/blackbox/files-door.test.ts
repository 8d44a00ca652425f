import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEV, ROOMY, startCairn, startIn, type Cairn } from './cairn.ts';
import { client, request, type Client } from './client.ts';
import { instance, path, skill, skillPath, write } from './page.ts';

/** `cairn serve` with a folder of pages that people work in, asked over HTTP like by anybody. */
let cairn: Cairn;
let agent: Client;
let admin: Client;
const connect = (): void => {
  agent = client(cairn.origin, DEV.CAIRN_DEV_MCP_TOKEN);
  admin = client(cairn.origin, DEV.CAIRN_DEV_ADMIN_TOKEN);
};
beforeAll(async () => {
  cairn = await startCairn(DEV, ROOMY);
  connect();
  await write(admin, { [skillPath('note')]: skill('note') });
});
afterAll(() => cairn.stop());

const file = (pageId: string): string => join(cairn.folder, 'data', pageId);
const note = (id: string, text: string): string => instance('note', id, '', `${text}\n`);
function save(pageId: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file(pageId)), { recursive: true });
  writeFileSync(file(pageId), text);
}
/** Waits for what nobody asks the server for. */
const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 25_000, interval: 100 });
const found = async (word: string): Promise<string[]> =>
  (await agent.ok('search', { q: word })).hits.map((hit: { page_id: string }) => hit.page_id);
const versionOf = async (pageId: string): Promise<string | undefined> =>
  (await agent.call('expand', { page_id: pageId })).json.result?.structuredContent?.version;
const published = (pageId: string) => soon(async () => existsSync(file(pageId))).toBe(true);
const ready = async () => {
  const { status, json } = await request(`${cairn.origin}/readyz`);
  return status === 200 ? 200 : json.components;
};

test('[DS90] a file saved by hand is read and found, with its history', async () => {
  const id = path('note', 'hand');
  await write(agent, { [id]: note('hand', 'by agent') });
  await published(id);
  save(id, note('hand', 'Quittenmus'));
  await soon(() => found('Quittenmus')).toEqual([id]);
  const page = await agent.ok('expand', { page_id: id });
  expect([page.version, JSON.stringify(page).includes('Quittenmus')]).toEqual(['v2', true]);
  expect((await agent.ok('list_snapshots', { page_id: id })).snapshots).toHaveLength(2);
});

test('[DS90] new, renamed, deleted and restored files', async () => {
  const [made, moved] = [path('note', 'made'), 'markdown/elsewhere/moved.md'];
  save(made, note('made', 'Hagebutte'));
  await soon(() => found('Hagebutte')).toEqual([made]);
  mkdirSync(dirname(file(moved)), { recursive: true });
  renameSync(file(made), file(moved));
  await soon(() => found('Hagebutte')).toEqual([moved]);
  expect(await versionOf(moved)).toBe('v2');
  const text = readFileSync(file(moved));
  unlinkSync(file(moved));
  await soon(() => found('Hagebutte')).toEqual([]);
  expect(existsSync(file(moved))).toBe(false);
  // As any archived page: the last text that was live comes back, and its file.
  expect(await agent.ok('restore_page', { page_id: moved, version: 'v2' })).toMatchObject({ ok: true });
  await published(moved);
  expect(readFileSync(file(moved))).toEqual(text);
});

test('[DS71] [DS72] no text, links and hidden files are left alone, and the server goes on', async () => {
  writeFileSync(join(cairn.folder, 'secret.md'), note('secret', 'Staatsgeheimnis'));
  mkdirSync(file('markdown'), { recursive: true });
  symlinkSync(join(cairn.folder, 'secret.md'), file('markdown/link.md'));
  save('markdown/.hidden.md', note('hidden', 'Staatsgeheimnis'));
  save('markdown/bytes.md', Buffer.from([0xff, 0xfe, 0x41]));
  save('markdown/after.md', note('after', 'Nachzügler'));
  await soon(() => found('Nachzügler')).toEqual(['markdown/after.md']);
  expect(await found('Staatsgeheimnis')).toEqual([]);
  await cairn.logged(line => line['reason'] === 'not UTF-8');
  expect(await ready()).toBe(200);
});

test('[DS93] agents who write and read leave no trace of people', async () => {
  for (let n = 0; n < 30; n++) {
    await write(
      agent,
      Object.fromEntries([1, 2, 3].map(p => [path('note', `busy${p}`), note(`busy${p}`, `text ${n}`)])),
    );
  }
  save(path('note', 'last'), note('last', 'Schlusslicht'));
  await soon(() => found('Schlusslicht')).toHaveLength(1);
  expect(await versionOf(path('note', 'busy1'))).toBe('v30');
});

test('[DS70] [DS73] [DS76] what is done while the server is stopped', async () => {
  const [edited, deleted, renamed] = ['edited', 'deleted', 'renamed'].map(id => path('note', id)) as [
    string,
    string,
    string,
  ];
  await write(agent, Object.fromEntries([edited, deleted, renamed].map((id, n) => [id, note(`s${n}`, `Vorher${n}`)])));
  for (const id of [edited, deleted, renamed]) await published(id);
  await cairn.end();
  save(edited, note('s0', 'Hinterher'));
  unlinkSync(file(deleted));
  renameSync(file(renamed), file('markdown/renamed.md'));
  save('markdown/added.md', note('added', 'Zugabe'));
  cairn = await startIn(cairn.folder, DEV);
  connect();
  await soon(() => found('Hinterher')).toEqual([edited]);
  await soon(() => found('Vorher1')).toEqual([]);
  await soon(() => found('Vorher2')).toEqual(['markdown/renamed.md']);
  await soon(() => found('Zugabe')).toEqual(['markdown/added.md']);
  expect(await versionOf(edited)).toBe('v2');
});

test('[DS77] [AD38] a folder that loses its files is reported, read on from the store, and given up on request', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => path('note', `m${n}`));
  await write(agent, Object.fromEntries(ids.map((id, n) => [id, note(`m${n}`, 'Vielzahl')])));
  for (const id of ids) await published(id);
  expect(await ready()).toBe(200);
  renameSync(file('markdown'), file('unmounted'));
  mkdirSync(file('markdown'));
  await soon(ready).toMatchObject({ lane_store: false, indexer: true });
  await cairn.logged(line => String(line['msg']).includes('accept_deletions'));
  expect(await versionOf(ids[0]!)).toBe('v1');
  expect(await agent.ok('update_page', { page_id: ids[0], content: note('m0', 'Trotzdem') })).toMatchObject({
    ok: true,
  });
  expect(await found('Trotzdem')).toEqual([ids[0]]);
  await soon(async () => (await admin.call('admin_audit')).json.result).toMatchObject({
    structuredContent: { indexed_but_no_markdown: expect.arrayContaining(ids) },
    _meta: { deletions_held: expect.any(Number) },
  });
  expect(readdirSync(file('markdown'))).toEqual([]);
  rmSync(file('markdown'), { recursive: true });
  renameSync(file('unmounted'), file('markdown'));
  await soon(ready).toBe(200);
  await soon(async () => readFileSync(file(ids[0]!), 'utf8')).toContain('Trotzdem');

  for (const id of ids.slice(0, 50)) unlinkSync(file(id));
  await soon(ready).toMatchObject({ lane_store: false });
  await admin.ok('rebuild');
  expect(await versionOf(ids[1]!)).toBe('v1');
  await admin.ok('rebuild', { accept_deletions: true });
  expect(await ready()).toBe(200);
  expect(await versionOf(ids[1]!)).toBeUndefined();
  expect(await versionOf(ids[55]!)).toBe('v1');
  expect(await admin.ok('admin_audit')).toMatchObject({ indexed_but_no_markdown: [] });
});

test.each(['tmp', 'markdown'])('[DS67] /readyz names the files when %s is replaced by one', async folder => {
  await soon(ready).toBe(200);
  renameSync(file(folder), file('aside'));
  writeFileSync(file(folder), 'no folder');
  expect(await ready()).toMatchObject({ lane_store: false, indexer: true });
  rmSync(file(folder));
  renameSync(file('aside'), file(folder));
  await soon(ready).toBe(200);
});
