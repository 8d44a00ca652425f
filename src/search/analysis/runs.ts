const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Marks alone are no word. */
const SOUND = /[\p{L}\p{N}\p{Co}]/u;
/** A longer word is kept by its beginning. */
const MAX_LETTERS = 64;

/** Lower-case words of each run without white space: `customer::acme` is one run of two words (S01-S05). */
export function runsOf(text: string): string[][] {
  const runs: string[][] = [];
  for (const run of text.normalize('NFC').toLowerCase().split(/\s+/u)) {
    const words = run.match(WORD)?.filter(word => SOUND.test(word));
    if (words && words.length > 0) runs.push(words.map(word => (word.length > MAX_LETTERS ? beginning(word) : word)));
  }
  return runs;
}

/** Never ends within a character. */
function beginning(word: string): string {
  const unit = word.charCodeAt(MAX_LETTERS - 1);
  return word.slice(0, unit >= 0xd800 && unit <= 0xdbff ? MAX_LETTERS - 1 : MAX_LETTERS);
}
