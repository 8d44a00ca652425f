import { sha256 } from '../../kernel/hash.ts';
import type { ParsedPage } from '../model.ts';
import { parsePage } from './parse-page.ts';

/** Pages taken apart, by the hash of their bytes. */
export interface ParseCache {
  /** `load` gives the text whose SHA-256 is `hash`; it is called only when that text is not kept. */
  get(hash: string, load: () => Promise<string>): Promise<ParsedPage>;
  /** The page of a text at hand. */
  parse(content: string): ParsedPage;
}

/**
 * A write asks for its text several times; so many texts, none longer than this, are found without hashing them again. What is only
 * written is not kept longer: an import would drive out the pages that are read.
 */
const RECENT = 64;
const RECENT_CHARS = 64 * 1024;

/** Keeps the pages used last, up to `maxChars` UTF-16 units of their text in all. A larger page is never kept. */
export function createParseCache(maxChars: number): ParseCache {
  const kept = new Map<string, { readonly page: ParsedPage; readonly chars: number }>();
  const recent = new Map<string, { readonly page: ParsedPage; readonly hash: string }>();
  let total = 0;

  function keep(hash: string, page: ParsedPage, chars: number): void {
    if (chars > maxChars || kept.has(hash)) return;
    kept.set(hash, { page, chars });
    total += chars;
    for (const [oldest, entry] of kept) {
      if (total <= maxChars) return;
      kept.delete(oldest);
      total -= entry.chars;
    }
  }

  function find(hash: string): ParsedPage | undefined {
    const hit = kept.get(hash);
    if (hit === undefined) return undefined;
    // A map keeps the order of insertion: its first key is the one not used for longest.
    kept.delete(hash);
    kept.set(hash, hit);
    return hit.page;
  }

  /** A page that was written last, and is now read. */
  function keepRecent(hash: string): ParsedPage | undefined {
    for (const [content, one] of recent) {
      if (one.hash !== hash) continue;
      keep(hash, one.page, content.length);
      return one.page;
    }
    return undefined;
  }

  function parseAndKeep(hash: string, content: string): ParsedPage {
    const page = parsePage(content);
    keep(hash, page, content.length);
    return page;
  }

  return {
    async get(hash, load) {
      return find(hash) ?? keepRecent(hash) ?? parseAndKeep(hash, await load());
    },
    parse(content) {
      const known = recent.get(content);
      if (known) return known.page;
      const hash = sha256(content);
      const page = find(hash) ?? parsePage(content);
      if (content.length > Math.min(RECENT_CHARS, maxChars)) return page;
      recent.set(content, { page, hash });
      if (recent.size > RECENT) recent.delete(recent.keys().next().value!);
      return page;
    },
  };
}
