import type { WikilinkParsed } from '../model.ts';
import { codeSpans } from './code-spans.ts';
import { parseInner } from './wikilink.ts';

/** A link found in text; offsets are UTF-16 units of the whole text, `end` exclusive. */
export interface FoundLink {
  readonly link: WikilinkParsed;
  readonly start: number;
  readonly end: number;
}

/**
 * Every link of `text` between `from` and `to`, in document order, duplicates kept (E118-E129). `code` holds ascending pairs of
 * offsets whose text is code and has no links (E125-E127). Linear in the length of the text, whatever it holds.
 */
export function scanLinks(text: string, from: number, code: readonly number[], to = text.length): FoundLink[] {
  const found: FoundLink[] = [];
  const spans = codeSpans(text);
  let range = 0;
  let at = text.indexOf('[[', from);
  while (at !== -1 && at < to) {
    while (range < code.length && code[range + 1]! <= at) range += 2;
    if (range < code.length && code[range]! <= at) {
      at = text.indexOf('[[', code[range + 1]!);
      continue;
    }
    let end = at + 2;
    while (end < to && !endsContent(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) === 93 && text.charCodeAt(end + 1) === 93 && end + 2 <= to) {
      const link = parseInner(text.slice(at + 2, end));
      if (link !== null && !spans.touch(at, end + 2)) found.push({ link, start: at, end: end + 2 });
      end += 2;
    }
    // `[[[a]]`: the link starts at the second bracket.
    at = text.indexOf('[[', end === at + 2 ? at + 1 : end);
  }
  return found;
}

/** A bracket or a line break: none of them may stand inside a link (E121). */
function endsContent(unit: number): boolean {
  return unit === 91 || unit === 93 || unit === 10 || unit === 13;
}
