/** Letters that no Unicode decomposition takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const OTHER_LETTERS = /[ßæœøđðłþı]/gu;
const MARKS = /\p{M}+/gu;
const BEYOND_ASCII = /[^ -~]/u;
/** How umlauts are written without their keys; not in "neue", "bauen", "Quelle". */
const DIGRAPHS = /ae|oe|(?<![aeq])ue/gu;

/** One spelling for words that differ in case, diacritics, width or the way umlauts are written: Öl, Oel, OL are all `ol`. */
export const fold = (word: string): string => plain(word).replace(DIGRAPHS, pair => pair.charAt(0)) || word;

/** The same, but `ae`, `oe` and `ue` stay. */
export function plain(word: string): string {
  const lower = word.toLowerCase();
  if (!BEYOND_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(OTHER_LETTERS, letter => LETTERS[letter]!);
}
