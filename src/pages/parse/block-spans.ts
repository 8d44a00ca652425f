import type { Block } from '../model.ts';
import { nameBlocks } from './anchors.ts';
import { scanBlocks } from './block-scan.ts';
import { lineStarts } from './line-map.ts';
import { anchorLine } from './lines.ts';

/** A block and where it stands in a body. Offsets are UTF-16 units. */
export interface BlockSpan {
  readonly block: Block;
  /** Its first character, behind the indent of its line. */
  readonly start: number;
  /** Behind its last visible character, an inline `^name` included. */
  readonly end: number;
  /** Behind the line that names it, else `end`. */
  readonly outerEnd: number;
  /** Heading level 1-6, else 0. */
  readonly level: number;
  readonly item: boolean;
}

/** The blocks of a body with their places, in order; anchors as `parsePage` gives them. */
export function blockSpans(body: string): BlockSpan[] {
  const { blocks: raw } = scanBlocks(body, lineStarts(body), 0, 0);
  const blocks = nameBlocks(body, raw);
  return raw.map(({ start, end, level, kind, anchor }, index) => ({
    block: blocks[index]!,
    start,
    end,
    outerEnd: anchor === null ? end : namedUntil(body, end),
    level,
    item: kind === 'item',
  }));
}

/** The end of the anchor line that follows, directly or behind one blank line. */
function namedUntil(body: string, end: number): number {
  const match = /^[ \t]*(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)?[ \t]*(\^[^\s]+)/.exec(body.slice(end, end + 400));
  if (!match) return end;
  const stop = end + match[0].length;
  return anchorLine(body, stop - match[1]!.length, stop) === null ? end : stop;
}
