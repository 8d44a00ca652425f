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
  'ent',
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

/** What the last part may have more than the word of the list: Ölwannen, Gehäusedeckeln; with an umlaut: Mietverträge, Prüfplänen. */
const ENDINGS = ['n', 'e', 'en', 's', 'es'];
const ENDINGS_WITH_UMLAUT = ['', 'e', 'en', 'er', 'ern', 'n'];
const COST_OF_ENDING = 0.2;
const SHORTEST_INFLECTED = 5;
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' };

const LAST_UMLAUT = /[äöü](?=[^äöü]*$)/u;

interface Way {
  readonly cost: number;
  readonly parts: readonly Part[];
}

interface Part {
  /** As the list has it. */
  readonly word: string;
  /** Where it stands in the compound, linking letters left out. */
  readonly start: number;
  readonly end: number;
}

/**
 * Parts of a German compound, first to last, as words of the list; none unless known parts and linking letters cover all
 * of it: Wartungsplan is Wartung and Plan. Takes lower-case words with their umlauts.
 */
export const splitCompound = (word: string, words: WordList): readonly string[] =>
  waysThrough(word, words).map(part => part.word);

/**
 * All that a compound is found by besides itself: its parts, parts of these, and of more than two parts also those that stand
 * together at its beginning and its end. Winterreifenpflicht is Winter, Winterreifen, Reifen, Reifenpflicht and Pflicht.
 */
export function wordsWithin(word: string, words: WordList): readonly string[] {
  const parts = waysThrough(word, words);
  const within = parts.flatMap(part => [part.word, ...splitCompound(part.word, words)]);
  const together = parts
    .slice(1, -1)
    .flatMap((part, at) => [word.slice(0, part.end), word.slice(parts[at + 1]!.start)]);
  return [...new Set([...within, ...together])];
}

function waysThrough(word: string, words: WordList): readonly Part[] {
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
      if (!part || (end === word.length && words.isStem(part.word))) continue;
      const cost = before.cost + part.cost;
      if (cost < (ways[end]?.cost ?? Infinity)) ways[end] = { cost, parts: [...before.parts, part] };
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
): (Part & { cost: number }) | null {
  const length = end - start;
  let best = end;
  let least = costOf(ranks[end], 0);
  let lost = '';
  if (end === word.length && least === Infinity && length >= SHORTEST_INFLECTED) {
    const base = inflected(word.slice(start), words);
    if (base) return { ...base, start, end };
  }
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
  return least === Infinity ? null : { word: word.slice(start, best) + lost, start, end: best, cost: least };
}

/** The word of the list that a last part is a form of. */
function inflected(piece: string, words: WordList): { word: string; cost: number } | null {
  let best: { word: string; cost: number } | null = null;
  const look = (base: string): void => {
    const cost = costOf(words(base), COST_OF_ENDING);
    if (cost < (best?.cost ?? Infinity)) best = { word: base, cost };
  };
  const without = (ending: string): string => piece.slice(0, piece.length - ending.length);
  for (const ending of ENDINGS) {
    if (piece.endsWith(ending) && piece.length - ending.length >= SHORTEST_INFLECTED) look(without(ending));
  }
  const umlaut = LAST_UMLAUT.exec(piece);
  if (!umlaut) return best;
  for (const ending of ENDINGS_WITH_UMLAUT) {
    const bare = piece.endsWith(ending) ? without(ending) : '';
    if (bare.length < SHORTEST_INFLECTED - 1 || umlaut.index >= bare.length) continue;
    look(bare.slice(0, umlaut.index) + UMLAUTS[umlaut[0]]! + bare.slice(umlaut.index + 1));
  }
  return best;
}

function hashOn(hash: number, letters: string): number {
  let next = hash;
  for (let at = 0; at < letters.length; at++) next = hashWith(next, letters.charCodeAt(at));
  return next;
}

const costOf = (rank: number | undefined, extra: number): number =>
  rank === undefined ? Infinity : COST_OF_PART + extra + bits(rank);

const bits = (rank: number): number => Math.log2(rank + 2) * COST_OF_BIT;
