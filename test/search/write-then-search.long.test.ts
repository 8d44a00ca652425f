import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type World } from '../world.ts';

const COMMITS = 500;
const CLIENTS = 8;

let w: World;
beforeAll(async () => {
  w = await world();
  await w.put({ 'markdown/skills/note.md': skillPage('note') });
});
afterAll(() => w.end());

const page = (at: number): string => `markdown/instances/note/n${at}.md`;
/** A word that no other page has. */
const rarest = (at: number): string => `wz${at.toString(36).padStart(4, 'q')}x`;

test('[SR18] while clients search, every acknowledged page is found at once by its rarest word', async () => {
  const writer = await w.as({ sub: 'writer' });
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => w.as({ sub: `reader-${at}` })));
  const find = async (client: (typeof clients)[number], at: number): Promise<unknown> => {
    const { hits } = await client.call('search', { q: `Ventil ${rarest(at)}`, k: 3 });
    return hits[0]?.page_id === page(at) ? null : { at, hits };
  };
  for (let at = 0; at < COMMITS; at += 1) {
    const body = `Das Ventil ${at} klemmt, Kennwort ${rarest(at)}.\n`;
    const write = writer.call('update_page', { page_id: page(at), content: instancePage('note', `n${at}`, {}, body) });
    const others = at === 0 ? [] : clients.map((client, n) => find(client, (at * 31 + n * 7) % at));
    expect((await write).ok).toBe(true);
    const { hits } = await writer.call('search', { q: rarest(at), k: 2 });
    expect(hits.map((hit: { page_id: string }) => hit.page_id)).toEqual([page(at)]);
    expect((await Promise.all(others)).filter(one => one !== null)).toEqual([]);
  }
});
