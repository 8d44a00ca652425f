import { fold } from './analysis/fold.ts';

/** Longest snippet in characters before it is cut (E280). */
const LENGTH = 200;
/** Matches that far from each other are shown together. */
const SPAN = 140;
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Of a longer text the beginning is searched. */
const MOST_LETTERS = 50_000;
/** A shorter key is looked for as a word, a longer one also as its beginning, and one of six letters anywhere in it. */
const BEGINNING_FROM = 3;
const INSIDE_FROM = 6;

interface Match {
  readonly at: number;
  readonly end: number;
  readonly key: string;
}

/**
 * A block's text where most of the words stand, given as words or as the keys of a lexical answer; trimmed, at most 200 characters
 * and an ellipsis on each cut side; cut at white space where there is some, never inside a surrogate pair (E280, F05).
 */
export function snippetOf(content: string, words: readonly string[]): string {
  const text = content.trim();
  if (text.length <= LENGTH) return text;
  const { from, to } = bestPlace(matchesIn(text, words));
  const lead = Math.min(LENGTH / 2, Math.max(20, (LENGTH - (to - from)) / 2));
  const start = from <= lead ? 0 : afterSpace(text, Math.floor(from - lead));
  const end = start + LENGTH >= text.length ? text.length : beforeSpace(text, start, start + LENGTH);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}

function matchesIn(text: string, words: readonly string[]): Match[] {
  const keys = [...new Set(words.flatMap(word => fold(word).split(' ')).filter(key => key !== ''))];
  const matches: Match[] = [];
  if (keys.length === 0) return matches;
  for (const { 0: word, index: at } of text.slice(0, MOST_LETTERS).matchAll(WORD)) {
    const folded = fold(word);
    const key = keys.find(each => isIn(folded, each));
    if (key !== undefined) matches.push({ at, end: at + word.length, key });
  }
  return matches;
}

function isIn(word: string, key: string): boolean {
  if (word === key) return true;
  if (key.length >= INSIDE_FROM) return word.includes(key);
  return key.length >= BEGINNING_FROM && word.startsWith(key);
}

/** The first stretch with the most different keys. */
function bestPlace(matches: readonly Match[]): { from: number; to: number } {
  let best = { from: 0, to: 0 };
  let most = 0;
  for (const [first, { at }] of matches.entries()) {
    const keys = new Set<string>();
    let to = at;
    for (let next = first; next < matches.length && matches[next]!.end <= at + SPAN; next++) {
      keys.add(matches[next]!.key);
      to = matches[next]!.end;
    }
    if (Math.max(1, keys.size) <= most) continue;
    most = Math.max(1, keys.size);
    best = { from: at, to };
  }
  return best;
}

function afterSpace(text: string, from: number): number {
  const gap = text.slice(from, from + 40).search(/\s/u);
  return wholeCharacter(text, gap < 0 ? from : from + gap + 1);
}

function beforeSpace(text: string, start: number, end: number): number {
  const gap = text.slice(start, end + 1).search(/\s\S*$/u);
  return wholeCharacter(text, gap <= 0 ? end : start + gap);
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
