/** Punctuation and quotation marks; what else looks like one, such as a minus or currency sign, stays (rules-gaps 15). */
const PUNCTUATION = '[\\p{P}\\p{Quotation_Mark}]';
/** White space as Unicode has it: zero-width characters are none. */
const GAP = new RegExp(`(?:${PUNCTUATION}|\\p{White_Space})`, 'u');
const GAPS = new RegExp(`${GAP.source}+`, 'gu');

/** How quote and source are made comparable (contract 6.3): NFKC, lower case, punctuation and white space to single spaces. */
export function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(GAPS, ' ').replace(/^ | $/g, '');
}

/** A stretch of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  /** The unit after the last one. */
  readonly end: number;
}

/**
 * Characters that can change together with what stands before them: marks, parts of Korean syllables, halfwidth voicing
 * marks, and some vowels. Every other character starts a piece that is normalised by itself.
 */
const JOINS_BEFORE =
  /[\p{M}\u0E33\u0EB3\u1100-\u11FF\u3130-\u318F\uA960-\uA97F\uD7B0-\uD7FF\uFF9E-\uFFDC\u{16D63}-\u{16D6A}]/u;

/** The stretch of `text` that a stretch of `normalise(text)` comes from, whole pieces at a time. */
export function locate(text: string, wanted: Span): Span {
  let start = 0;
  let end = text.length;
  let units = 0;
  let gap: Span | undefined;
  /** False when nothing more is wanted. */
  const pass = (length: number, origin: Span): boolean => {
    if (wanted.start >= units && wanted.start < units + length) start = origin.start;
    units += length;
    if (wanted.end > units) return true;
    end = origin.end;
    return false;
  };
  for (const piece of pieces(text)) {
    for (const character of lower(text.slice(piece.start, piece.end))) {
      if (GAP.test(character)) {
        gap = piece;
        continue;
      }
      if (gap && units > 0 && !pass(1, gap)) return { start, end };
      gap = undefined;
      if (!pass(character.length, piece)) return { start, end };
    }
  }
  return { start, end };
}

/** The pieces whose normal forms, one after the other, are the normal form of the text. */
export function* pieces(text: string): Generator<Span> {
  let start = 0;
  let at = 0;
  for (const character of text) {
    if (at > start && (character < '\u0300' || !JOINS_BEFORE.test(character))) {
      yield { start, end: at };
      start = at;
    }
    at += character.length;
  }
  if (at > start) yield { start, end: at };
}

/** Only lengths matter here: the one letter whose lower case depends on its neighbours has one length. */
const lower = (piece: string): string =>
  piece.length === 1 && piece < '\x80' ? piece : piece.normalize('NFKC').toLowerCase();
