import { sha256 } from '../../kernel/hash.ts';
import type { Block } from '../model.ts';
import type { RawBlock } from './block-scan.ts';
import { headingLevel, runLength } from './lines.ts';

/** A block's text with the ` ^name` that closes it taken out. */
interface Named {
  readonly content: string;
  /** `content` without list marker and heading underline. */
  readonly text: string;
  readonly anchor: string | null;
}

/**
 * Gives every block its content, its anchor and the path of headings above it (deviations, E132/E133). Anchors are
 * unique: an explicit name goes to the first block that claims it; other blocks are called after their text, so an edit
 * elsewhere never renames them.
 */
export function nameBlocks(text: string, raw: readonly RawBlock[]): Block[] {
  const named = raw.map(block => readName(text, block));
  const firstClaims = new Map<string, number>();
  named.forEach(({ anchor }, index) => {
    if (anchor !== null && !firstClaims.has(anchor)) firstClaims.set(anchor, index);
  });
  const free = freeNames(firstClaims);
  const path: { readonly level: number; readonly title: string }[] = [];
  let headings: readonly string[] = [];
  return raw.map(({ level, line }, index) => {
    const { content, text: own, anchor } = named[index]!;
    const claimed = anchor !== null && firstClaims.get(anchor) === index;
    const name = claimed ? anchor : free(anchor ?? synthesise(own));
    if (level === 0) return { anchor: name, content, headings, line: line + 1 };
    while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
    const above = path.map(heading => heading.title);
    const title = headingTitle(own);
    path.push({ level, title });
    headings = [...above, title];
    return { anchor: name, content, headings: above, line: line + 1, title };
  });
}

/** Hands out `name`, `name-2`, `name-3`, and never one that is claimed. */
function freeNames(claimed: ReadonlyMap<string, number>): (name: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return name => {
    let count = counts.get(name) ?? 1;
    let anchor = count === 1 ? name : `${name}-${count}`;
    while (claimed.has(anchor) || given.has(anchor)) anchor = `${name}-${++count}`;
    counts.set(name, count + 1);
    given.add(anchor);
    return anchor;
  };
}

/** List markers are left out, so that renumbering a list renames nothing; line endings count as LF. */
function synthesise(text: string): string {
  const lines = text.indexOf('\r') === -1 ? text : text.replace(/\r\n?/g, '\n');
  return `blk-${sha256(lines).slice(0, 8)}`;
}

function headingTitle(text: string): string {
  if (headingLevel(text, 0, text.length) === 0) return text.trim().replace(/\s+/g, ' ');
  let end = text.length;
  while (text.charCodeAt(end - 1) === 35) end--;
  // Closing marks count as such behind a space only: `# C#` keeps its name.
  const closed = end === 0 || isWhite(text.charCodeAt(end - 1));
  const title = closed ? text.slice(0, end) : text;
  return title.slice(runLength(title, 0, title.length, 35)).trim();
}

function readName(text: string, block: RawBlock): Named {
  const { kind, start, textStart, textEnd, end } = block;
  const caret = kind === 'table' || kind === 'code' || kind === 'html' ? -1 : trailingCaret(text, textStart, textEnd);
  if (caret === -1) {
    return { content: text.slice(start, end), text: text.slice(textStart, textEnd), anchor: block.anchor };
  }
  let cut = caret;
  while (cut > start && isWhite(text.charCodeAt(cut - 1))) cut--;
  const content = text.slice(start, cut);
  return {
    content: textEnd === end ? content : content + text.slice(textEnd, end),
    text: text.slice(Math.min(textStart, cut), cut),
    anchor: text.slice(caret + 1, textEnd),
  };
}

/** Where the `^` of a closing `^name` stands that white space sets off from the text before it, else -1. */
function trailingCaret(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isNameUnit(text.charCodeAt(at - 1))) at--;
  if (at === end || at - 1 < start || text.charCodeAt(at - 1) !== 94) return -1;
  const first = text.charCodeAt(at);
  if (first === 45 || first === 95) return -1;
  return at - 2 >= start && isWhite(text.charCodeAt(at - 2)) ? at - 1 : -1;
}

function isNameUnit(unit: number): boolean {
  const letter = unit | 32;
  return (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 45 || unit === 95;
}

function isWhite(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}
