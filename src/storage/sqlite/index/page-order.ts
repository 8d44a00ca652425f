import type { IndexedPage } from '../../../pages/ports.ts';

/** The order of UTF-8: that of UTF-16, but for halves of surrogate pairs, which come last. */
export function byBytes(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let n = 0; n < most; n++) {
    const [x, y] = [a.charCodeAt(n), b.charCodeAt(n)];
    if (x !== y) return unitRank(x) - unitRank(y);
  }
  return a.length - b.length;
}

const unitRank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Pages of one slug, best first: the overlay's, tenant pages before those of packs, then by id (E229). Mostly there is one. */
export const bestFirst = (rows: readonly IndexedPage[]): readonly IndexedPage[] =>
  rows.length < 2 ? rows : rows.toSorted((a, b) => rank(a) - rank(b) || byBytes(a.pageId, b.pageId));

const rank = ({ scenario, pageId }: IndexedPage): number =>
  (scenario === null ? 2 : 0) + (pageId.startsWith('markdown/base/') ? 1 : 0);
