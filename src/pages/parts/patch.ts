import { blockSpans, type BlockSpan } from '../parse/block-spans.ts';
import type { Range } from './ranges.ts';

export type PatchAction = 'replace' | 'insert_before' | 'insert_after' | 'remove';

/**
 * A body with a block or section changed. `range` is what stands there, `span` its (first) block. Whatever stands elsewhere
 * keeps its bytes, but for blank lines around something that is removed.
 */
export function patchBody(
  body: string,
  span: BlockSpan,
  range: Range,
  action: PatchAction,
  content: string,
  eol: string,
): string {
  const { from, to } = range;
  const lineStart = startOfLine(body, from);
  // What replaces a block brings the indent of its further lines along, as expand showed them.
  const indent = span.item && action !== 'replace' ? body.slice(lineStart, from) : '';
  const text = content.replace(/^(?:[ \t]*(?:\r\n|\n|\r))+|\s+$/g, '').replace(/\r\n|\n|\r/g, `${eol}${indent}`);
  // Items of a list follow each other without a blank line.
  const gap = span.item && /^(?:[-*+]|\d{1,9}[.)])\s/.test(text) ? eol : eol + eol;
  if (action === 'insert_before') return body.slice(0, from) + text + gap + indent + body.slice(from);
  if (action === 'insert_after') return body.slice(0, to) + gap + indent + text + body.slice(to);
  if (action === 'replace') return body.slice(0, from) + text + body.slice(to);
  return removed(body.slice(0, lineStart), body.slice(to));
}

/** Whether text below this would not be read on its own: a fence or a comment is left open. */
export const isOpenEnded = (content: string): boolean =>
  blockSpans(`${content}\n\n${PROBE}`).at(-1)?.block.content !== PROBE;

const PROBE = 'what follows';

/** `content` with the name that the block carries in its own text, so that links to it go on working. */
export function keepName(body: string, { block, start, end }: BlockSpan, content: string): string {
  const raw = body.slice(start, end);
  const length = raw.length - block.content.length;
  if (length === 0) return content;
  let at = 0;
  while (at < block.content.length && raw[at] === block.content[at]) at++;
  const name = raw.slice(at, at + length);
  // The name of a two-line heading stands before its underline.
  const underline = at < block.content.length ? /(?:\r\n|\n|\r)[ \t]*(?:=+|-+)[ \t]*$/.exec(content) : null;
  const place = underline?.index ?? content.length;
  return content.slice(0, place) + name + content.slice(place);
}

function removed(before: string, after: string): string {
  const rest = after.replace(/^[ \t]*(?:\r\n|\n|\r)?/, '');
  const blankAbove = before === '' || /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)$/.test(before);
  return before + (blankAbove ? rest.replace(/^(?:[ \t]*(?:\r\n|\n|\r))+/, '') : rest);
}

function startOfLine(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}
