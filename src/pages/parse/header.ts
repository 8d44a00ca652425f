import type { JsonObject } from '../../kernel/json.ts';
import type { HeaderProblem } from '../model.ts';
import { lineIndex, lineStarts } from './line-map.ts';
import { readMapping } from './yaml.ts';

/** A file cut at its fences. Offsets are UTF-16 units of the whole text. */
export interface SplitPage {
  readonly frontmatter: JsonObject;
  /** Raw text between the fences, null when no closed header opens the file. It may be unreadable: see `problem`. */
  readonly header: string | null;
  /** Where `header` starts; 0 when there is none. */
  readonly headerStart: number;
  /** As written (E102). The whole file without its BOM when the header is missing or unreadable (F02). */
  readonly body: string;
  readonly bodyStart: number;
  readonly problem: HeaderProblem | null;
}

/** Where a header stands: all offsets, `close` the start of the closing fence line. */
interface Fences {
  readonly open: number;
  readonly start: number;
  readonly close: number;
  readonly end: number;
}

/**
 * Cuts a page into header and body. A BOM and blank lines before the opening fence are accepted, as are LF, CRLF and CR
 * (E096-E105; deviations, E096). Never throws; a header that is no mapping leaves the whole file as body.
 */
export function splitHeader(text: string, starts: readonly number[] = lineStarts(text)): SplitPage {
  const textStart = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const fences = findFences(text, textStart);
  if (fences === null) {
    const message = 'the file opens no header';
    return wholeFile(text, textStart, { code: 'missing_frontmatter', message, line: 1, column: 1 });
  }
  const openLine = lineIndex(starts, fences.open) + 1;
  if (fences.close === -1) {
    const message = 'the header that starts here is never closed by a line ---';
    return wholeFile(text, textStart, { code: 'unterminated_frontmatter', message, line: openLine, column: 1 });
  }
  const header = text.slice(fences.start, fences.close);
  const read = readMapping(header);
  if ('code' in read) {
    const line = openLine + 1 + read.line;
    const { code, message } = read;
    const split = wholeFile(text, textStart, { code, message, line, column: read.column + 1 });
    return { ...split, header, headerStart: fences.start };
  }
  return {
    frontmatter: read.mapping,
    header,
    headerStart: fences.start,
    body: text.slice(fences.end),
    bodyStart: fences.end,
    problem: typeProblem(read.mapping, header, openLine),
  };
}

const wholeFile = (text: string, textStart: number, problem: HeaderProblem): SplitPage => ({
  frontmatter: {},
  header: null,
  headerStart: 0,
  body: text.slice(textStart),
  bodyStart: textStart,
  problem,
});

/** E101: `type` must be exactly `skill` or `instance`. `fenceLine` is the 1-based line of the opening fence. */
function typeProblem(mapping: JsonObject, header: string, fenceLine: number): HeaderProblem | null {
  const type = Object.hasOwn(mapping, 'type') ? mapping['type'] : undefined;
  if (type === 'skill' || type === 'instance') return null;
  const message =
    type === undefined ? 'type is missing: it must be skill or instance' : 'type must be skill or instance';
  const at = header.split(/\r\n|\r|\n/).findIndex(line => /^(?:type|"type"|'type')[ \t]*:/.test(line));
  return { code: 'invalid_type', message, line: at === -1 ? fenceLine : fenceLine + 1 + at, column: 1 };
}

/** Null when no fence opens the file; `close` -1 when none closes it (E097, E098, E105). */
function findFences(text: string, textStart: number): Fences | null {
  const open = skipBlankLines(text, textStart);
  if (!isFence(text, open) || open + 3 === text.length) return null;
  const start = afterBreak(text, open + 3);
  for (let at = start; ; at++) {
    at = text.indexOf('---', at);
    if (at === -1) return { open, start, close: -1, end: -1 };
    const before = text.charCodeAt(at - 1);
    if ((before === 10 || before === 13) && isFence(text, at)) {
      return { open, start, close: at, end: afterBreak(text, at + 3) };
    }
  }
}

function skipBlankLines(text: string, from: number): number {
  let lineStart = from;
  for (let at = from; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13) lineStart = at + 1;
    else if (unit !== 32 && unit !== 9) return lineStart;
  }
}

/** Whether a line of exactly `---` starts at `at`: a line break or the end of the text follows. */
function isFence(text: string, at: number): boolean {
  if (!text.startsWith('---', at)) return false;
  const after = text.charCodeAt(at + 3);
  return after === 10 || after === 13 || at + 3 === text.length;
}

function afterBreak(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
}
