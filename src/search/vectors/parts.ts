/** About 100 tokens of German or English. A longer text loses meaning when it becomes one vector. */
const GOOD = 400;
/** No part weighs more, and what weighs no more is no long text: texts of a few sentences are to be treated alike. */
const MOST = 480;
/** After the end of a sentence or a line. */
const SENTENCE_END = /(?<=[.!?…]["'”’»)\]]?\s)(?=\S)|(?<=\n)(?=[^\n])|(?<=[。！？])/u;
const WORD_END = /(?<=\s)(?=\S)/u;

/**
 * A text of more than a model can hold in one vector, in even parts that end where sentences do, else words, else characters.
 * Joined they are the text. None for a text that is short enough to stand as a whole.
 */
export function partsOf(text: string): string[] {
  const whole = weightOf(text);
  if (whole <= MOST) return [];
  const pieces = sentencesOf(text).flatMap(piece => smaller(piece, wordsOf));
  const target = whole / Math.ceil(whole / GOOD);
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  let done = 0;
  for (const piece of pieces.flatMap(one => smaller(one, charactersOf))) {
    const more = weightOf(piece);
    // Half of a piece beyond the mark and it belongs to the next part; marks lie even, so that no crumb is left at the end.
    const past = done + weight + more / 2 > target * (parts.length + 1);
    if (part !== '' && (past || weight + more > MOST)) {
      parts.push(part);
      done += weight;
      part = '';
      weight = 0;
    }
    part += piece;
    weight += more;
  }
  return [...parts, part];
}

/** Length, in which a character of a script without spaces counts as three: it is a token of its own, or more. */
function weightOf(text: string): number {
  let weight = text.length;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) weight += 2;
  return weight;
}

const smaller = (piece: string, divide: (text: string) => string[]): string[] =>
  weightOf(piece) <= GOOD / 2 ? [piece] : divide(piece);
const sentencesOf = (text: string): string[] => text.split(SENTENCE_END);
const wordsOf = (text: string): string[] => text.split(WORD_END);

/** Pieces of characters, cut nowhere inside one. */
function charactersOf(text: string): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += 40) pieces.push(characters.slice(at, at + 40).join(''));
  return pieces;
}
