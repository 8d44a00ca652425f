import type { ParsedPage } from '../model.ts';
import { parsePage } from './parse-page.ts';

/** Pages taken apart, by the hash of their bytes. */
export interface ParseCache {
  /** `load` gives the text whose SHA-256 is `sha256`; it is called only when that text is not kept. */
  get(sha256: string, load: () => Promise<string>): Promise<ParsedPage>;
}

/** Keeps the pages used last, up to `maxChars` UTF-16 units of their text in all. A larger page is never kept. */
export function createParseCache(maxChars: number): ParseCache {
  const kept = new Map<string, { readonly page: ParsedPage; readonly chars: number }>();
  let total = 0;

  function keep(sha256: string, page: ParsedPage, chars: number): void {
    if (chars > maxChars || kept.has(sha256)) return;
    kept.set(sha256, { page, chars });
    total += chars;
    for (const [oldest, entry] of kept) {
      if (total <= maxChars) return;
      kept.delete(oldest);
      total -= entry.chars;
    }
  }

  return {
    async get(sha256, load) {
      const hit = kept.get(sha256);
      if (hit !== undefined) {
        // A map keeps the order of insertion: its first key is the one not used for longest.
        kept.delete(sha256);
        kept.set(sha256, hit);
        return hit.page;
      }
      const content = await load();
      const page = parsePage(content);
      keep(sha256, page, content.length);
      return page;
    },
  };
}
