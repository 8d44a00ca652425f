import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEV, ROOMY, startCairn, startIn, type Cairn } from './cairn.ts';
import { client, type Client } from './client.ts';
import { instance, path, skill } from './page.ts';

let cairn: Cairn;
let agent: Client;
const ENV = { ...DEV, ESCUREL_SEED_DIR: 'seed' };
const DEAL = path('deal', 'one');
const GONE = path('deal', 'two');
const state = (taken_at: string, id: string, body: string) => ({ taken_at, markdown: instance('deal', id, '', body) });
beforeAll(async () => {
  cairn = await startCairn(ENV, {
    ...ROOMY,
    'seed/skills/deal.md': skill('deal'),
    'seed/instances/deal/one.md': instance('deal', 'one', '', 'signed\n'),
    'seed/history.json': JSON.stringify([
      {
        page_id: DEAL,
        states: [
          state('2026-02-01T00:00:00Z', 'one', 'offered\n'),
          state('2026-01-01T01:00:00+01:00', 'one', 'asked\n'),
        ],
      },
      { page_id: GONE, states: [state('2026-03-01T00:00:00Z', 'two', 'only told\n')] },
      { page_id: path('deal', 'three'), states: [state('never', 'three', 'x')] },
    ]),
  });
  agent = client(cairn.origin, DEV.CAIRN_DEV_MCP_TOKEN);
});
afterAll(() => cairn.stop());

const bodyAt = async (page_id: string, as_of?: string) => (await agent.ok('expand', { page_id, as_of })).body;

test('[PG78] E158 the states of history.json are versions of the moments they name', async () => {
  const { snapshots } = await agent.ok('list_snapshots', { page_id: DEAL });
  expect(snapshots).toHaveLength(3);
  expect(snapshots.slice(0, 2).map(Date.parse)).toEqual(
    ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'].map(Date.parse),
  );
  expect(await bodyAt(DEAL, '2026-01-15T00:00:00Z')).toBe('asked\n');
  expect(await bodyAt(DEAL, '2026-02-15T00:00:00Z')).toBe('offered\n');
});

test('[PG78] E158 the file of the seed is the newest of them, else the last state is', async () => {
  expect(await bodyAt(DEAL)).toBe('signed\n');
  expect(await bodyAt(GONE)).toBe('only told\n');
});

test('[PG78] E158 what is no time is left out and named', async () => {
  expect(await agent.ok('expand', { page_id: path('deal', 'three') })).toEqual({ page: null });
  expect(
    cairn.log().some(({ msg, page_id }) => msg === 'seed history skipped' && page_id === path('deal', 'three')),
  ).toBe(true);
});

test('[PG78] E158 a second start adds nothing', async () => {
  const before = await agent.ok('list_snapshots', { page_id: DEAL });
  await cairn.end();
  cairn = await startIn(cairn.folder, ENV);
  agent = client(cairn.origin, DEV.CAIRN_DEV_MCP_TOKEN);
  expect(await agent.ok('list_snapshots', { page_id: DEAL })).toEqual(before);
});
