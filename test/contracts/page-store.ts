import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Origin, PageIndex, PagePut, PageStore } from '../../src/pages/ports.ts';
import type { LexicalLane } from '../../src/search/ports.ts';

export interface PageStoreParts {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly lexical: LexicalLane;
}

/** One adapter on storage of its own. `reopen` comes back as after a restart of the process; the old one is not used again. */
export interface OpenPageStore extends PageStoreParts {
  reopen(): Promise<PageStoreParts>;
  close(): Promise<void>;
}

const AT = '2026-01-02T03:04:05.678Z';
const A = 'markdown/instances/note/a.md';
const B = 'markdown/instances/note/b.md';

/** What every PageStore adapter must do. `open` starts without any page. */
export function pageStoreContract(adapter: string, open: () => Promise<OpenPageStore>): void {
  describe(`page versions on ${adapter}`, () => {
    let opened: OpenPageStore;
    let store: PageStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('[DS1] an absent page has no head and no version', async () => {
      expect(await store.head(A)).toBeUndefined();
      expect(await store.version(A, 1)).toBeUndefined();
    });

    test('[DS1] versions count from 1 and each is read back as it was written', async () => {
      const first = put(A, page('a', 'one'), 0, { author: null, origin: 'import', message: 'why not' });
      expect(await store.commit({ puts: [first] })).toEqual({ committed: true, versions: new Map([[A, 1]]) });
      const second = put(A, page('a', 'two'), 1);
      expect(await store.commit({ puts: [second] })).toEqual({ committed: true, versions: new Map([[A, 2]]) });
      expect(await store.version(A, 1)).toEqual(stored(first, 1));
      expect(await store.version(A, 2)).toEqual(stored(second, 2));
      expect(await store.head(A)).toEqual(stored(second, 2));
      expect(await store.version(A, 3)).toBeUndefined();
      expect(await store.version(A, 0)).toBeUndefined();
    });

    test('[DS1] a text is found by its version, whether its commit is known, unknown or another one', async () => {
      await store.commit({ puts: [put(A, page('a', 'one')), put(B, page('b', 'other'))] });
      const row = await opened.index.page(A);
      await store.commit({ puts: [put(A, page('a', 'two'), 1)] });
      const later = await opened.index.page(A);
      expect(row!.seq).not.toBe(later!.seq);
      for (const seq of [row!.seq, later!.seq, null]) {
        expect(await store.text({ pageId: A, version: 1, seq })).toBe(page('a', 'one'));
        expect(await store.text({ pageId: A, version: 2, seq })).toBe(page('a', 'two'));
        expect(await store.text({ pageId: B, version: 1, seq })).toBe(page('b', 'other'));
        expect(await store.text({ pageId: A, version: 3, seq })).toBeUndefined();
      }
    });

    const odd: [string, string][] = [
      ['nothing', ''],
      ['a BOM and CRLF', `\uFEFF${page('a', 'x').replaceAll('\n', '\r\n')}`],
      ['NUL and control characters', 'a\0b\u0001c\u007f\u0085'],
      ['emoji and combining marks', 'e\u0301 😀 👩‍👩‍👧 ﷽ 𝄞'],
      ['no final line break', 'x'],
      ['a megabyte', 'Äöü '.repeat(200_000)],
    ];
    test.each(odd)('[DS1] bytes stay: %s', async (_, content) => {
      await store.commit({ puts: [put(A, content)] });
      expect(await (await opened.reopen()).store.head(A)).toEqual(stored(put(A, content), 1));
    });

    test('[DS1] half a surrogate pair is stored as the replacement character, and the hash is that of the stored bytes', async () => {
      await store.commit({ puts: [put(A, 'x\uD83Dy')] });
      expect(await store.head(A)).toEqual(stored(put(A, 'x\uFFFDy'), 1));
    });

    test('[DS2] a put that was not planned on the head is stale and writes nothing', async () => {
      await store.commit({ puts: [put(A, 'one')] });
      for (const base of [0, 2, -1]) {
        const refused = { committed: false, stale: [A], blocked: [] };
        expect(await store.commit({ puts: [put(A, 'other', base)] })).toEqual(refused);
      }
      expect(await store.commit({ puts: [put(B, 'b', 1)] })).toEqual({ committed: false, stale: [B], blocked: [] });
      expect((await store.head(A))?.content).toBe('one');
      expect(await store.head(B)).toBeUndefined();
    });

    test('[DS3] one stale put takes its whole set along', async () => {
      await store.commit({ puts: [put(A, 'one')] });
      const result = await store.commit({ puts: [put(B, 'b'), put(A, 'two', 0)] });
      expect(result).toEqual({ committed: false, stale: [A], blocked: [] });
      expect(await store.head(B)).toBeUndefined();
      expect((await store.head(A))?.version).toBe(1);
    });

    test('[DS3] several pages are committed together; an empty set is committed', async () => {
      const versions = new Map([
        [A, 1],
        [B, 1],
      ]);
      expect(await store.commit({ puts: [put(A, 'a'), put(B, 'b')] })).toEqual({ committed: true, versions });
      expect(await store.commit({ puts: [] })).toEqual({ committed: true, versions: new Map() });
    });

    test('[DS3] two puts of one page in a set are stale', async () => {
      const result = await store.commit({ puts: [put(A, 'one'), put(A, 'two', 1)] });
      expect(result).toEqual({ committed: false, stale: [A], blocked: [] });
      expect(await store.head(A)).toBeUndefined();
    });

    const clashes: [string, string][] = [
      ['markdown/x', 'markdown/x/y'],
      ['markdown/x/y', 'markdown/x'],
      ['notes', 'notes/deep/er/page.md'],
      ['notes/deep/er/page.md', 'notes/deep'],
    ];
    test.each(clashes)('[DS4] beside %s no page can be %s', async (first, second) => {
      await store.commit({ puts: [put(first, 'first')] });
      const refused = { committed: false, stale: [], blocked: [second] };
      expect(await store.commit({ puts: [put(second, 'second')] })).toEqual(refused);
      expect(await store.head(second)).toBeUndefined();
      expect((await store.commit({ puts: [put(first, 'again', 1)] })).committed).toBe(true);
    });

    test('[DS4] names that only begin alike do not clash', async () => {
      const ids = ['n/x', 'n/x.md', 'n/x y', 'n/x-1/a', 'n/x0', 'n/xy/z', 'm'];
      for (const id of ids) expect((await store.commit({ puts: [put(id, id)] })).committed).toBe(true);
    });

    test('[DS4] two new pages of one set may clash as well', async () => {
      const result = await store.commit({ puts: [put('n/x', 'x'), put('n/x/y', 'y')] });
      expect(result).toEqual({ committed: false, stale: [], blocked: ['n/x/y'] });
    });

    test('[DS5] of many commits on one base exactly one wins', async () => {
      await store.commit({ puts: [put(A, 'zero')] });
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.commit({ puts: [put(A, `by ${n}`, 1)] })),
      );
      const winner = results.findIndex(result => result.committed);
      expect(results.filter(result => result.committed)).toHaveLength(1);
      expect((await store.head(A))?.content).toBe(`by ${winner}`);
      expect((await store.head(A))?.version).toBe(2);
    });

    test('[DS5] commits of the same moment all stay, and refused ones among them hurt none', async () => {
      await store.commit({ puts: [put(A, 'zero')] });
      const ids = Array.from({ length: 200 }, (_, n) => `markdown/instances/note/n${n}.md`);
      const results = await Promise.all(
        ids.flatMap(id => [
          store.commit({ puts: [put(id, `text of ${id}`)] }),
          store.commit({ puts: [put(`${id}-other`, 'never'), put(A, 'never', 7)] }),
        ]),
      );
      expect(results.filter(result => result.committed)).toHaveLength(ids.length);
      for (const id of ids) {
        expect((await store.head(id))?.content).toBe(`text of ${id}`);
        expect(await store.head(`${id}-other`)).toBeUndefined();
      }
    });

    test('[DS6] a committed page is readable and found when its commit resolves, and after a restart', async () => {
      await store.commit({ puts: [put(A, page('a', 'a word like Quetschventil'))] });
      await look(opened, 1, 'Quetschventil');
      await store.commit({ puts: [put(A, page('a', 'now a Kugelhahn'), 1)] });
      await look(opened, 2, 'Kugelhahn');
      expect(await found(opened, 'Quetschventil')).toEqual([]);
      await look(await opened.reopen(), 2, 'Kugelhahn');
    });

    const origins: [Origin, boolean][] = [
      ['external', true],
      ['import', true],
      ['system', true],
      ['agent', false],
    ];
    test.each(origins)('[DS7] a text that says archived, by %s: archived %s', async (origin, archived) => {
      await store.commit({ puts: [put(A, page('a', 'hidden Ritzel'), 0)] });
      const text = page('a', 'hidden Ritzel', 'archived: true\n');
      expect((await store.commit({ puts: [put(A, text, 1, { origin })] })).committed).toBe(true);
      expect(await store.head(A)).toMatchObject({ version: 2, archived });
      expect(await store.version(A, 1)).toMatchObject({ archived: false });
      expect((await opened.index.page(A))?.version).toBe(archived ? undefined : 2);
      expect(await found(opened, 'Ritzel')).toEqual(archived ? [] : [A]);
      // A page comes back by a write on the archived version.
      expect(await store.commit({ puts: [put(A, page('a', 'back'), 0)] })).toMatchObject({ stale: [A] });
      expect((await store.commit({ puts: [put(A, page('a', 'back'), 2)] })).committed).toBe(true);
      expect(await found(opened, 'back')).toEqual([A]);
    });
  });
}

async function look({ index, lexical }: PageStoreParts, version: number, word: string): Promise<void> {
  expect(await index.page(A)).toMatchObject({ pageId: A, version, slug: 'a', skill: 'note' });
  expect(await found({ lexical }, word)).toEqual([A]);
}

async function found({ lexical }: Pick<PageStoreParts, 'lexical'>, word: string): Promise<string[]> {
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
  return (await lexical.search([{ words: [word] }], filter, 10)).map(hit => hit.pageId);
}

const page = (id: string, body: string, header = ''): string =>
  `---\ntype: instance\nskill: note\nid: ${id}\n${header}---\n\n${body}\n`;

const put = (pageId: string, content: string, base = 0, changes: Partial<PagePut> = {}): PagePut => ({
  pageId,
  base,
  content,
  author: 'ann',
  origin: 'agent',
  message: null,
  committedAt: AT,
  ...changes,
});

function stored(written: PagePut, version: number) {
  const { pageId, content, author, origin, message, committedAt } = written;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { pageId, version, content, sha256, author, origin, message, committedAt, archived: false };
}
