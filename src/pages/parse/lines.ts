/** Shapes of single markdown lines. `at` is the first character of the line that is no space or tab, `end` its end. */

/** Length of the run of `unit` that starts at `at`. */
export function runLength(text: string, at: number, end: number, unit: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === unit) stop++;
  return stop - at;
}

/**
 * Number of fence marks of a line that opens or closes fenced code, else 0: three or more backticks or tildes (E125;
 * deviations, E126). A line with a backtick after its first run is inline code, which E124 describes.
 */
export function fenceMarks(text: string, at: number, end: number): number {
  const unit = text.charCodeAt(at);
  if (unit !== 96 && unit !== 126) return 0;
  const marks = runLength(text, at, end, unit);
  if (marks < 3) return 0;
  if (unit === 96) {
    const tick = text.indexOf('`', at + marks);
    if (tick !== -1 && tick < end) return 0;
  }
  return marks;
}

/** `***`, `- - -`, `___`: three or more of one mark and nothing else. */
export function isThematicBreak(text: string, at: number, end: number): boolean {
  const mark = text.charCodeAt(at);
  if (mark !== 42 && mark !== 45 && mark !== 95) return false;
  let marks = 0;
  for (let index = at; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === mark) marks++;
    else if (unit !== 32 && unit !== 9) return false;
  }
  return marks >= 3;
}

/** Level of the underline of a two-line heading: 1 for `===`, 2 for `---`, else 0. */
export function underlineLevel(text: string, at: number, end: number): number {
  const unit = text.charCodeAt(at);
  if (unit !== 61 && unit !== 45) return 0;
  return at + runLength(text, at, end, unit) === end ? (unit === 61 ? 1 : 2) : 0;
}

/** Level 1-6 of a `#` heading, else 0. */
export function headingLevel(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 35) return 0;
  const marks = runLength(text, at, end, 35);
  return marks <= 6 && (at + marks === end || isSpace(text.charCodeAt(at + marks))) ? marks : 0;
}

/** Width of a list marker without the space after it (`-` is 1, `12.` is 3), else 0. */
export function markerWidth(text: string, at: number, end: number): number {
  const unit = text.charCodeAt(at);
  let width = 1;
  if (unit >= 48 && unit <= 57) {
    while (width < 10 && isDigit(text.charCodeAt(at + width))) width++;
    const close = text.charCodeAt(at + width);
    if (width > 9 || (close !== 46 && close !== 41)) return 0;
    width++;
  } else if (unit !== 45 && unit !== 43 && unit !== 42) return 0;
  if (at + width > end) return 0;
  return at + width === end || isSpace(text.charCodeAt(at + width)) ? width : 0;
}

/** The row of dashes under a table's head: `| --- | :-: |`, at least one pipe. */
export function isDelimiterRow(text: string, at: number, end: number): boolean {
  let [pipes, dashes] = [0, 0];
  for (let index = at; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 124) pipes++;
    else if (unit === 45) dashes++;
    else if (unit !== 58 && !isSpace(unit)) return false;
  }
  return pipes > 0 && dashes > 0;
}

const RAW_HTML = /^<(?:(!--)|(script|pre|style|textarea)(?![\w-]))/i;
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|main|menu|nav|ol|option|p|search|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?![\w-])/i;
const LONE_TAG = /^<\/?[a-z][\w-]*(?:\s[^<>]*)?>$/i;

/**
 * What ends the HTML block that the line opens: a closing mark that may stand after blank lines, `''` for the next
 * blank line; null when the line opens none. `running` text is not interrupted by a tag alone on its line.
 */
export function htmlEnd(text: string, at: number, end: number, running: boolean): string | null {
  if (text.charCodeAt(at) !== 60) return null;
  const line = text.slice(at, end);
  const raw = RAW_HTML.exec(line);
  if (raw !== null) return raw[1] === undefined ? `</${raw[2]!.toLowerCase()}` : '-->';
  return BLOCK_TAG.test(line) || (!running && LONE_TAG.test(line)) ? '' : null;
}

/** The name when the whole line is `^name`, else null. */
export function anchorLine(text: string, at: number, end: number): string | null {
  const name = text.charCodeAt(at) === 94 ? text.slice(at + 1, end) : '';
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) ? name : null;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
