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
  const lower = text.normalize('NFC').toLowerCase();
  const runs: string[][] = [];
  let run: string[] = [];
  let start = -1;
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
      if (start < 0) start = at;
    } else if (start >= 0) {
      addWord(run, lower.slice(start, at));
      start = -1;
    }
    if (kind === GAP && run.length > 0) {
      runs.push(run);
      run = [];
    }
    at += width;
  }
  return runs;
}

function addWord(run: string[], word: string): void {
  if (word.charCodeAt(0) >= KINDS.length && MARKS_ONLY.test(word)) return;
  run.push(word.length > MAX_LETTERS ? beginning(word) : word);
}

/** Never ends within a character. */
function beginning(word: string): string {
  const unit = word.charCodeAt(MAX_LETTERS - 1);
  return word.slice(0, unit >= 0xd800 && unit <= 0xdbff ? MAX_LETTERS - 1 : MAX_LETTERS);
}
