import type { ParsedPage } from './model.ts';
import type { IndexedPage } from './ports.ts';

/** Answers about whole pages, kept as long as the page they were made of is kept parsed. */
export interface KeptAnswers {
  /** The answer for this version as this writer wrote it; frozen, so that whoever writes it out may keep its text. */
  of<T extends object>(page: IndexedPage, parsed: ParsedPage, make: () => T): Readonly<T>;
}

export function keptAnswers(): KeptAnswers {
  const kept = new WeakMap<ParsedPage, { readonly of: IndexedPage; readonly answer: object }>();
  return {
    of<T extends object>(page: IndexedPage, parsed: ParsedPage, make: () => T) {
      // Pages with the same bytes share what was parsed.
      const found = kept.get(parsed);
      if (found && sameState(found.of, page)) return found.answer as T;
      const answer = Object.freeze(make());
      kept.set(parsed, { of: page, answer });
      return answer;
    },
  };
}

const sameState = (a: IndexedPage, b: IndexedPage): boolean =>
  a.version === b.version && a.pageId === b.pageId && a.lastWrittenBy === b.lastWrittenBy;
