const WORD_LETTER = /^[\p{L}\p{N}\p{M}\p{Co}]$/u;
const SPACE = /^\s$/u;
/** Marks alone are no word. */
const MARKS_ONLY = /^\p{M}+$/u;
/** A longer word is kept by its beginning. */
const MAX_LETTERS = 64;

const OTHER = 0;
const LETTER = 1;
const GAP = 2;
/** Kinds of the characters that most texts are made of. */
const KINDS = Uint8Array.from({ length: 0x250 }, (_, code) => kindOf(String.fromCharCode(code)));

function kindOf(character: string): number {
  if (WORD_LETTER.test(character)) return LETTER;
  return SPACE.test(character) ? GAP : OTHER;
}

/** Lower-case words of each run without white space: `customer::acme` is one run of two words (S01-S05). */
export function runsOf(text: string): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  eachWord(text, {
    word: (lower, start, end) => void run.push(lower.slice(start, end)),
    gap() {
      runs.push(run);
      run = [];
    },
  });
  return runs;
}

export interface WordVisitor {
  /** The next word: `lower` from `start` to `end`. Where words are equal, so is nearly always `hash`. */
  word(lower: string, start: number, end: number, hash: number): void;
  /** The run ends, and with it the word before. No run is empty. */
  gap(): void;
}

/** The same words and runs without making strings of them; `lower` is the text as words are read from it. */
export function eachWord(text: string, visitor: WordVisitor): void {
  const lower = text.normalize('NFC').toLowerCase();
  let start = -1;
  let open = false;
  let hash = 0;
  for (let at = 0; at <= lower.length;) {
    const code = lower.charCodeAt(at);
    let kind: number = GAP;
    let width = 1;
    if (code < KINDS.length) kind = KINDS[code]!;
    else if (at < lower.length) {
      const character = String.fromCodePoint(lower.codePointAt(at)!);
      kind = kindOf(character);
      width = character.length;
    }
    if (kind === LETTER) {
      if (start < 0) {
        start = at;
        hash = 0;
      }
      hash = (Math.imul(hash, 31) + code) | 0;
    } else if (start >= 0) {
      if (isWord(lower, start, at)) {
        visitor.word(lower, start, endOfWord(lower, start, at), hash);
        open = true;
      }
      start = -1;
    }
    if (kind === GAP && open) {
      visitor.gap();
      open = false;
    }
    at += width;
  }
}

const isWord = (lower: string, start: number, end: number): boolean =>
  lower.charCodeAt(start) < KINDS.length || !MARKS_ONLY.test(lower.slice(start, end));

/** Never within a character. */
function endOfWord(lower: string, start: number, end: number): number {
  if (end - start <= MAX_LETTERS) return end;
  const unit = lower.charCodeAt(start + MAX_LETTERS - 1);
  return start + (unit >= 0xd800 && unit <= 0xdbff ? MAX_LETTERS - 1 : MAX_LETTERS);
}
