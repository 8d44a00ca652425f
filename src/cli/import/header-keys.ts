import type { Json, JsonObject } from '../../kernel/json.ts';
import { dominantEol, renderPage, splitHeader, type SplitPage } from '../../pages/index.ts';

interface WrittenHeader {
  readonly content: string;
  /** The header could not be edited in place: same keys and values, new layout. */
  readonly rewritten: boolean;
}

/**
 * Renames and adds top-level keys of a readable header. Edits the text where that reads back as meant, otherwise writes
 * the header anew; the body is untouched either way.
 */
export function writeKeys(
  text: string,
  split: SplitPage,
  renamed: ReadonlyMap<string, string>,
  added: readonly (readonly [string, Json])[],
): WrittenHeader {
  const own = Object.entries(split.frontmatter).map(([key, value]) => [renamed.get(key) ?? key, value] as const);
  const wanted: JsonObject = Object.fromEntries([...own, ...added]);
  const eol = dominantEol(text);
  const before = text.slice(0, split.headerStart);
  const after = text.slice(split.headerStart + split.header!.length);
  let header = split.header!;
  for (const [key, name] of renamed) header = header.replace(keyAtLineStart(key), `${name}$1`);
  const edited = before + header + linesOf(Object.fromEntries(added), eol) + after;
  const read = splitHeader(edited);
  if (read.body === split.body && same(read.frontmatter, wanted)) return { content: edited, rewritten: false };
  const front = before.replace(/---[\r\n]+$/u, '');
  return { content: front + renderPage(wanted, split.body, eol), rewritten: true };
}

const keyAtLineStart = (key: string): RegExp => new RegExp(`^(?:${key}|"${key}"|'${key}')([ \\t]*:)`, 'mu');

/** The header lines of a mapping, without fences. */
function linesOf(mapping: JsonObject, eol: '\n' | '\r\n' | '\r'): string {
  return splitHeader(renderPage(mapping, '', eol)).header!;
}

const same = (a: JsonObject, b: JsonObject): boolean => JSON.stringify(a) === JSON.stringify(b);
