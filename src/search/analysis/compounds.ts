import { EMPTY_HASH, hashWith, type WordList } from './lexicon.ts';

/** Shorter words are no compounds worth taking apart, longer ones are no words. */
const SHORTEST = 8;
const LONGEST = 48;
const MOST_PARTS = 5;
const LETTERS = /^[a-zäöüß]+$/u;
/** What may stand between two parts and belongs to neither. */
const LINKS = ['s', 'es', 'n', 'en', 'er'];
/** What the first part may have lost, and what it costs: Schulhaus, Waschmaschine, Wegweiser. */
const LOST = [
  ['e', 0.15],
  ['en', 0.3],
  ['n', 0.3],
] as const;
/** These lost nothing. */
const PREFIXES = new Set([
  'vor',
  'her',
  'hin',
  'ver',
  'unter',
  'über',
  'best',
  'auf',
  'aus',
  'ein',
  'nach',
  'mit',
  'wied',
]);
const COST_OF_PART = 1;
const COST_OF_LINK = 0.15;
/** Ranks run to about 65,000: 16 bits. */
const COST_OF_BIT = 0.08;
/** A word that people use as one is taken apart only into parts that are used clearly more. */
const COST_OF_WHOLE = 3.15;

interface Way {
  readonly cost: number;
  readonly parts: readonly string[];
}

/**
 * Parts of a German compound, first to last, as words of the list; none unless known parts and linking letters cover all
 * of it: Wartungsplan is Wartung and Plan. Takes lower-case words with their umlauts.
 */
export function splitCompound(word: string, words: WordList): readonly string[] {
  if (word.length < SHORTEST || word.length > LONGEST || !LETTERS.test(word)) return [];
  const whole = words(word);
  const most = whole === undefined ? Infinity : COST_OF_WHOLE + bits(whole);
  const ways: (Way | undefined)[] = [{ cost: 0, parts: [] }];
  for (let start = 0; start <= word.length - 2; start++) {
    const before = ways[start];
    if (!before || before.parts.length === MOST_PARTS) continue;
    let hash = EMPTY_HASH;
    const ranks: (number | undefined)[] = [];
    for (let end = start + 1; end <= word.length; end++) {
      hash = hashWith(hash, word.charCodeAt(end - 1));
      if (end === start + 1 || (start === 0 && end === word.length)) continue;
      if (words.mayHave(hash)) ranks[end] = words(word.slice(start, end));
      const part = cheapest(word, start, end, ranks, hash, words);
      if (!part) continue;
      const cost = before.cost + part.cost;
      if (cost < (ways[end]?.cost ?? Infinity)) ways[end] = { cost, parts: [...before.parts, part.word] };
    }
  }
  const found = ways[word.length];
  return found && found.parts.length > 1 && found.cost < most ? found.parts : [];
}

/** The known word that a piece of that hash is, without its linking letters; a last piece has none. */
function cheapest(
  word: string,
  start: number,
  end: number,
  ranks: readonly (number | undefined)[],
  hash: number,
  words: WordList,
): { word: string; cost: number } | null {
  const length = end - start;
  let best = end;
  let least = costOf(ranks[end], 0);
  let lost = '';
  if (end < word.length) {
    for (const link of LINKS) {
      if (length - link.length < 3 || !word.endsWith(link, end)) continue;
      const cost = costOf(ranks[end - link.length], COST_OF_LINK);
      if (cost < least) [best, least] = [end - link.length, cost];
    }
    for (const [letters, extra] of LOST) {
      if (length < 3 || !words.mayHave(hashOn(hash, letters))) continue;
      const piece = word.slice(start, end);
      const cost = costOf(words(piece + letters), extra);
      if (cost < least && !PREFIXES.has(piece)) [best, least, lost] = [end, cost, letters];
    }
  }
  return least === Infinity ? null : { word: word.slice(start, best) + lost, cost: least };
}

function hashOn(hash: number, letters: string): number {
  let next = hash;
  for (let at = 0; at < letters.length; at++) next = hashWith(next, letters.charCodeAt(at));
  return next;
}

const costOf = (rank: number | undefined, extra: number): number =>
  rank === undefined ? Infinity : COST_OF_PART + extra + bits(rank);

const bits = (rank: number): number => Math.log2(rank + 2) * COST_OF_BIT;
