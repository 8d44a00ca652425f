import {
  anchorLine,
  fenceMarks,
  headingLevel,
  htmlEnd,
  isDelimiterRow,
  isThematicBreak,
  markerWidth,
  underlineLevel,
} from './lines.ts';

export type BlockKind = 'paragraph' | 'heading' | 'item' | 'table' | 'code' | 'quote' | 'html';

/** A block where it stands. Offsets are UTF-16 units of the whole text, `end` behind its last character. */
export interface RawBlock {
  kind: BlockKind;
  start: number;
  end: number;
  /** 0-based index of its first line. */
  line: number;
  /** How many list items hold it; an item counts itself. */
  readonly depth: number;
  /** Heading level 1-6, else 0. */
  level: number;
  /** Where an item's text starts behind its marker, else `start`. */
  textStart: number;
  /** Where the text ends that an inline anchor may close: before the underline of a two-line heading, else `end`. */
  textEnd: number;
  /** Named by `^name` on a line of its own. */
  anchor: string | null;
}

export interface ScannedBlocks {
  readonly blocks: readonly RawBlock[];
  /** Ascending pairs of offsets: fenced and indented code, where nothing is a link (E125-E127). */
  readonly code: readonly number[];
}

/** What the scanner knows between two lines. */
interface Scan {
  readonly text: string;
  readonly blocks: RawBlock[];
  readonly code: number[];
  /** Columns at which the content of the open list items starts, outermost first. */
  readonly items: number[];
  /** The block that the next line may go on with. */
  open: RawBlock | null;
  /** The last line was plain text of `open`: the next one goes on with it whatever its indent (a lazy line). */
  running: boolean;
  blanks: number;
  /** A rule stands behind the last block. */
  ruled: boolean;
  fence: { readonly unit: number; readonly marks: number; readonly start: number } | null;
  /** What ends the open HTML block, when a blank line does not. */
  html: string | null;
  /** Where the text of the line before starts, and where `open` ended before that line. */
  previousAt: number;
  previousEnd: number;
}

/** A line that is not blank: `at` is its first character behind the indent, `end` behind its last visible one. */
interface Line {
  readonly index: number;
  readonly start: number;
  readonly at: number;
  readonly end: number;
  readonly column: number;
  /** Blank lines directly above. */
  readonly blanks: number;
}

/**
 * Cuts the lines from index `firstLine` on into blocks, in document order. Every character that is no white space, no
 * rule (`---`) and no anchor line is in exactly one block (deviations, E132). One pass, no going back.
 */
export function scanBlocks(text: string, starts: readonly number[], firstLine: number, from: number): ScannedBlocks {
  const scan: Scan = {
    text,
    blocks: [],
    code: [],
    items: [],
    open: null,
    running: false,
    blanks: 0,
    ruled: false,
    fence: null,
    html: null,
    previousAt: 0,
    previousEnd: 0,
  };
  for (let index = firstLine; index < starts.length; index++) {
    const start = index === firstLine ? from : starts[index]!;
    let end = index + 1 < starts.length ? starts[index + 1]! : text.length;
    while (end > start && isWhite(text.charCodeAt(end - 1))) end--;
    if (end === start) {
      if (scan.fence === null && scan.html === null) blankLine(scan);
      continue;
    }
    let at = start;
    let column = 0;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 32) column++;
      else if (unit === 9) column += 4 - (column & 3);
      else break;
    }
    const line = { index, start, at, end, column, blanks: scan.blanks };
    scan.blanks = 0;
    if (scan.fence !== null) fencedLine(scan, line);
    else if (scan.html !== null) htmlLine(scan, line);
    else openLine(scan, line);
    scan.previousAt = at;
  }
  if (scan.fence !== null) scan.code.push(scan.fence.start, text.length);
  return { blocks: scan.blocks, code: scan.code };
}

function isWhite(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

function blankLine(scan: Scan): void {
  scan.blanks++;
  scan.running = false;
  // Items and indented code go on behind blank lines.
  if (scan.open !== null && scan.open.kind !== 'item' && scan.open.kind !== 'code') scan.open = null;
}

function fencedLine(scan: Scan, line: Line): void {
  const { open, fence, text } = scan;
  extend(scan, open!, line.end, false);
  if (text.charCodeAt(line.at) !== fence!.unit || !closes(text, line, fence!)) return;
  scan.code.push(fence!.start, line.end);
  scan.fence = null;
  if (open!.kind === 'code') scan.open = null;
}

/** A fence closes at the next line that starts with at least as many of its marks (E125). */
function closes(text: string, line: Line, fence: { readonly unit: number; readonly marks: number }): boolean {
  for (let index = 0; index < fence.marks; index++) {
    if (line.at + index >= line.end || text.charCodeAt(line.at + index) !== fence.unit) return false;
  }
  return true;
}

function htmlLine(scan: Scan, line: Line): void {
  extend(scan, scan.open!, line.end, false);
  if (!holds(scan.text, line, scan.html!)) return;
  scan.html = null;
  scan.open = null;
}

function holds(text: string, line: Line, mark: string): boolean {
  return text.slice(line.at, line.end).toLowerCase().includes(mark);
}

/** A line outside fences and raw HTML. */
function openLine(scan: Scan, line: Line): void {
  const { text, items } = scan;
  const { at, end, column } = line;
  const depth = depthAt(items, column);
  const indent = depth === 0 ? column : column - items[depth - 1]!;

  const marks = fenceMarks(text, at, end);
  if (marks > 0) return fenceLine(scan, line, depth, marks);
  if (text.charCodeAt(at) === 94 && nameLast(scan, line)) return;
  if (scan.open?.kind === 'html' && scan.open.depth <= depth) return extend(scan, scan.open, end, false);
  if (indent >= 4) return scan.running ? textLine(scan, line, depth) : indentedLine(scan, line, depth);
  if (scan.running && scan.open!.kind === 'paragraph' && depth === 0 && scan.open!.depth === 0) {
    if (underline(scan, line) || tableHead(scan, line)) return;
  }
  if (isThematicBreak(text, at, end)) return ruleLine(scan, line, depth);
  const width = markerWidth(text, at, end);
  if (width > 0 && startsItem(scan, line, depth, width)) return itemLine(scan, line, depth, width);
  const level = headingLevel(text, at, end);
  if (level > 0) return headingLine(scan, line, depth, level);
  if (text.charCodeAt(at) === 62) return quoteLine(scan, line, depth);
  const mark = htmlEnd(text, at, end, scan.running);
  if (mark !== null) return htmlStart(scan, line, depth, mark);
  textLine(scan, line, depth);
}

/** How many of the open items a line of that indent lies in; a search, since lazy lines leave deep lists open. */
function depthAt(items: readonly number[], column: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]! <= column) low = middle + 1;
    else high = middle;
  }
  return low;
}

function begin(scan: Scan, kind: BlockKind, line: Line, start: number, running: boolean): RawBlock {
  const block: RawBlock = {
    kind,
    start,
    end: line.end,
    line: line.index,
    depth: scan.items.length,
    level: 0,
    textStart: start,
    textEnd: line.end,
    anchor: null,
  };
  scan.blocks.push(block);
  scan.open = block;
  scan.running = running;
  scan.previousEnd = start;
  scan.ruled = false;
  return block;
}

function extend(scan: Scan, block: RawBlock, end: number, running: boolean): void {
  scan.previousEnd = block.end;
  block.end = end;
  block.textEnd = end;
  scan.running = running;
}

/** Leaves the list items deeper than `depth`; answers whether an item of that depth is still open. */
function inItem(scan: Scan, depth: number): boolean {
  scan.items.length = depth;
  if (scan.open !== null && scan.open.depth > depth) scan.open = null;
  return depth > 0 && scan.open !== null && scan.open.kind === 'item';
}

function fenceLine(scan: Scan, line: Line, depth: number, marks: number): void {
  if (inItem(scan, depth)) extend(scan, scan.open!, line.end, false);
  else begin(scan, 'code', line, line.at, false);
  scan.fence = { unit: scan.text.charCodeAt(line.at), marks, start: line.start };
}

/** `^name` alone on a line names the block before it, be it directly before or behind one blank line. */
function nameLast(scan: Scan, line: Line): boolean {
  const last = scan.blocks.at(-1);
  if (last === undefined || last.anchor !== null || line.blanks > 1 || scan.ruled) return false;
  last.anchor = anchorLine(scan.text, line.at, line.end);
  if (last.anchor === null) return false;
  scan.open = null;
  scan.running = false;
  return true;
}

function indentedLine(scan: Scan, line: Line, depth: number): void {
  const item = inItem(scan, depth);
  const kind = scan.open?.kind;
  if (kind === 'table') return extend(scan, scan.open!, line.end, false);
  if (item || kind === 'code') extend(scan, scan.open!, line.end, false);
  else begin(scan, 'code', line, line.start, false);
  scan.code.push(line.start, line.end);
}

/** The paragraph before becomes a heading when the line is its underline. */
function underline(scan: Scan, line: Line): boolean {
  const level = underlineLevel(scan.text, line.at, line.end);
  if (level === 0) return false;
  const heading = scan.open!;
  heading.kind = 'heading';
  heading.level = level;
  heading.end = line.end;
  scan.open = null;
  scan.running = false;
  return true;
}

/** The line before becomes the head of a table when the line is a row of dashes; what stands above it stays. */
function tableHead(scan: Scan, line: Line): boolean {
  const { text, previousAt, previousEnd } = scan;
  const paragraph = scan.open!;
  if (!isDelimiterRow(text, line.at, line.end)) return false;
  const pipe = text.indexOf('|', previousAt);
  if (pipe === -1 || pipe >= paragraph.end) return false;
  if (paragraph.line === line.index - 1) {
    paragraph.kind = 'table';
    extend(scan, paragraph, line.end, false);
    return true;
  }
  paragraph.end = previousEnd;
  paragraph.textEnd = previousEnd;
  begin(scan, 'table', line, previousAt, false).line = line.index - 1;
  return true;
}

function ruleLine(scan: Scan, line: Line, depth: number): void {
  if (inItem(scan, depth)) return extend(scan, scan.open!, line.end, false);
  scan.open = null;
  scan.running = false;
  scan.ruled = true;
}

/** A paragraph goes on through an empty marker and through a number that does not begin a list. */
function startsItem(scan: Scan, line: Line, depth: number, width: number): boolean {
  if (!scan.running || scan.open!.depth !== depth) return true;
  if (line.at + width === line.end) return false;
  return width === 1 || scan.text.slice(line.at, line.at + width - 1) === '1';
}

function itemLine(scan: Scan, line: Line, depth: number, width: number): void {
  const { text, items } = scan;
  inItem(scan, depth);
  let at = line.at + width;
  const marker = line.column + width;
  let column = marker;
  for (; at < line.end; at++) {
    if (text.charCodeAt(at) === 32) column++;
    else if (text.charCodeAt(at) === 9) column += 4 - (column & 3);
    else break;
  }
  const codeFirst = column - marker > 4;
  items.push(at === line.end || codeFirst ? marker + 1 : column);
  const marks = at < line.end ? fenceMarks(text, at, line.end) : 0;
  begin(scan, 'item', line, line.at, at < line.end && marks === 0 && !codeFirst).textStart = at;
  if (codeFirst) scan.code.push(at, line.end);
  else if (marks > 0) scan.fence = { unit: text.charCodeAt(at), marks, start: at };
}

function headingLine(scan: Scan, line: Line, depth: number, level: number): void {
  if (inItem(scan, depth)) return extend(scan, scan.open!, line.end, false);
  const block = begin(scan, depth === 0 ? 'heading' : 'paragraph', line, line.at, false);
  if (depth === 0) block.level = level;
  scan.open = null;
}

function quoteLine(scan: Scan, line: Line, depth: number): void {
  const running = line.end > line.at + 1;
  const goesOn = inItem(scan, depth) || scan.open?.kind === 'quote';
  if (goesOn) extend(scan, scan.open!, line.end, running);
  else begin(scan, 'quote', line, line.at, running);
}

function htmlStart(scan: Scan, line: Line, depth: number, mark: string): void {
  if (inItem(scan, depth)) return extend(scan, scan.open!, line.end, false);
  begin(scan, 'html', line, line.at, false);
  if (mark === '') return;
  if (holds(scan.text, line, mark)) scan.open = null;
  else scan.html = mark;
}

function textLine(scan: Scan, line: Line, depth: number): void {
  if (scan.running) return extend(scan, scan.open!, line.end, true);
  if (inItem(scan, depth)) return extend(scan, scan.open!, line.end, true);
  if (scan.open?.kind === 'table') return extend(scan, scan.open, line.end, false);
  begin(scan, 'paragraph', line, line.at, true);
}
