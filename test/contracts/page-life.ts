import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageMove, PagePut, PageStore } from '../../src/pages/ports.ts';
import type { LexicalLane } from '../../src/search/ports.ts';
import type { OpenPageStore, PageStoreParts } from './page-store.ts';

const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';
const at = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;

/** What every PageStore adapter must do with the history, the ids and the end of pages. */
export function pageLifeContract(adapter: string, open: () => Promise<OpenPageStore>): void {
  describe(`life of pages on ${adapter}`, () => {
    let opened: OpenPageStore;
    let store: PageStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    const write = async (pageId: string, body: string, base: number, changes: Partial<PagePut> = {}): Promise<void> => {
      const put = { pageId, base, content: page(body), author: 'ann', origin: 'agent', message: null } as const;
      const result = await store.commit({ puts: [{ ...put, committedAt: at(base), ...changes }] });
      expect(result.committed).toBe(true);
    };
    const move = (changes: Partial<PageMove> = {}) =>
      store.commit({
        puts: [],
        moves: [{ from: A, base: 2, to: B, over: 0, message: 'moved', committedAt: at(30), ...changes }],
      });
    const bodies = async (pageId: string): Promise<string[]> => {
      const versions = await store.history(pageId);
      expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
      const stored = await Promise.all(versions.map(({ version }) => store.version(pageId, version)));
      return stored.map(version => version!.content.split('\n\n')[1]!.trim());
    };

    test('[DS10] the history has every version, oldest first, and no text', async () => {
      expect(await store.history(A)).toEqual([]);
      await write(A, 'one', 0);
      await write(A, 'two', 1, { author: null, message: 'why' });
      const [first, second] = await store.history(A);
      expect([first, second]).toMatchObject([
        { pageId: A, version: 1, author: 'ann', message: null, committedAt: at(0), archived: false },
        { pageId: A, version: 2, author: null, message: 'why', committedAt: at(1), origin: 'agent' },
      ]);
      expect(first).not.toHaveProperty('content');
      expect(first!.sha256).toBe((await store.version(A, 1))!.sha256);
    });

    test('[DS10] a time finds the newest version up to it, the very moment included', async () => {
      await write(A, 'one', 0, { committedAt: at(10) });
      await write(A, 'two', 1, { committedAt: at(20) });
      expect(await store.versionAt(A, at(9))).toBeUndefined();
      expect((await store.versionAt(A, at(10)))?.version).toBe(1);
      expect((await store.versionAt(A, at(19)))?.version).toBe(1);
      expect((await store.versionAt(A, at(59)))?.version).toBe(2);
      expect(await store.versionAt(B, at(59))).toBeUndefined();
    });

    test('[DS18] pages are found by what they were and held, archived, moved or not', async () => {
      let { index } = opened;
      const text = (slug: string, link: string): string =>
        `---\ntype: instance\nskill: note\nid: ${slug}\n---\n\n[[note::${link}]]\n`;
      const once = async (asOf: string): Promise<string[][]> => [
        ...(await Promise.all(['one', 'two', 'other'].map(slug => index.once.named(slug, asOf)))).map(ids => [...ids]),
        [...(await index.once.linked('x', ['', 'note'], asOf))],
      ];
      await write(A, '', 0, { content: text('one', 'x') });
      await write(B, '', 0, { content: text('other', 'x') });
      expect(await once('')).toEqual([[], [], [], []]);
      await write(A, '', 1, { content: text('two', 'y'), committedAt: at(10) });
      await write(B, '', 1, { content: text('other', 'x'), committedAt: at(20), archive: true });
      const both = [[A], [], [B], [A, B]];
      expect(await once(at(9))).toEqual(both);
      // What ended by then was not so any more.
      expect(await once(at(10))).toEqual([[], [], [B], [B]]);
      expect(await once(at(20))).toEqual([[], [], [], []]);
      const again = await opened.reopen();
      [store, index] = [again.store, again.index];
      expect(await once(at(9))).toEqual(both);
      await move({ over: 2 });
      expect(await once(at(9))).toEqual([[B], [], [B], [B]]);
      await write(B, '', 5, { content: text('three', 'z'), committedAt: at(35), archive: true });
      expect(await once(at(34))).toEqual([[], [B], [], []]);
      await store.commit({ puts: [], purges: [{ pageId: B, base: 6, committedAt: at(40) }] });
      expect(await once('')).toEqual([[], [], [], []]);
    });

    test('[DS11] a put archives whoever writes it, and the next one brings the page back', async () => {
      await write(A, 'hidden Ritzel', 0);
      await write(A, 'hidden Ritzel', 1, { archive: true });
      expect(await store.head(A)).toMatchObject({ version: 2, archived: true });
      expect(await opened.index.page(A)).toBeUndefined();
      expect(await found(opened, 'Ritzel')).toEqual([]);
      await write(A, 'again Ritzel', 2);
      expect(await found(opened, 'Ritzel')).toEqual([A]);
    });

    test('[DS12] a moved page takes its versions along, in store, index and search, also after a restart', async () => {
      await write(A, 'one', 0);
      await write(A, 'two Ritzel', 1);
      expect(await move()).toEqual({ committed: true, versions: new Map([[B, 3]]) });
      const look = async (parts: PageStoreParts): Promise<void> => {
        store = parts.store;
        expect(await store.head(A)).toBeUndefined();
        expect(await store.history(A)).toEqual([]);
        expect(await bodies(B)).toEqual(['one', 'two Ritzel', 'two Ritzel']);
        expect(await store.head(B)).toMatchObject({ version: 3, author: null, message: 'moved', archived: false });
        expect(await parts.index.page(A)).toBeUndefined();
        expect(await parts.index.page(B)).toMatchObject({ version: 3, slug: 'a', lastWrittenBy: null });
        expect(await found(parts, 'Ritzel')).toEqual([B]);
      };
      await look(opened);
      const again = await opened.reopen();
      await look(again);
      await write(A, 'new here', 0);
      expect(await bodies(A)).toEqual(['new here']);
      expect(await found(again, 'Ritzel')).toEqual([B]);
    });

    test('[DS12] an archived page at the target keeps its versions as the older ones', async () => {
      await write(B, 'husk', 0);
      await write(B, 'husk', 1, { archive: true });
      await write(A, 'one', 0);
      await write(A, 'two', 1);
      expect(await move({ over: 2 })).toEqual({ committed: true, versions: new Map([[B, 5]]) });
      expect(await bodies(B)).toEqual(['husk', 'husk', 'one', 'two', 'two']);
      expect((await store.history(B)).map(({ archived }) => archived)).toEqual([false, true, false, false, false]);
      expect((await opened.index.page(B))?.version).toBe(5);
    });

    test('[DS2] [DS12] a move that was not planned on both heads is stale, and nothing moves', async () => {
      await write(A, 'one', 0);
      await write(B, 'b', 0);
      for (const [changes, stale] of [
        [{ base: 2, over: 1 }, [A]],
        [{ base: 1, over: 0 }, [B]],
        [{ base: 1, to: A, over: 1 }, [A]],
        [{ from: `${A}x`, base: 0, over: 1 }, [`${A}x`]],
      ] as const) {
        expect(await move(changes)).toEqual({ committed: false, stale, blocked: [] });
      }
      expect([await bodies(A), await bodies(B)]).toEqual([['one'], ['b']]);
    });

    test('[DS4] [DS12] a page cannot move below or above another page', async () => {
      await write(A, 'one', 0);
      await write(A, 'two', 1);
      for (const to of [`${A}/x`, 'markdown/instances/note']) {
        expect(await move({ to })).toEqual({ committed: false, stale: [], blocked: [to] });
      }
    });

    test('[DS13] a purged page leaves nothing, and its id begins anew', async () => {
      await write(A, 'secret Ritzel', 0);
      await write(A, 'secret Ritzel', 1, { archive: true });
      const purge = (base: number) => store.commit({ puts: [], purges: [{ pageId: A, base, committedAt: at(40) }] });
      expect(await purge(1)).toEqual({ committed: false, stale: [A], blocked: [] });
      expect(await purge(2)).toEqual({ committed: true, versions: new Map() });
      expect([await store.head(A), await store.version(A, 1), await store.history(A)]).toEqual([
        undefined,
        undefined,
        [],
      ]);
      store = (await opened.reopen()).store;
      expect(await store.head(A)).toBeUndefined();
      await write(A, 'fresh', 0);
      expect(await bodies(A)).toEqual(['fresh']);
    });
  });
}

async function found({ lexical }: { readonly lexical: LexicalLane }, word: string): Promise<string[]> {
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  return (await lexical.search([{ words: [word] }], filter, 10)).map(hit => hit.pageId);
}

const page = (body: string): string => `---\ntype: instance\nskill: note\nid: a\n---\n\n${body}\n`;
