import type { RankOf } from './lexicon.ts';

/** Shorter words are no compounds worth taking apart, longer ones are no words. */
const SHORTEST = 8;
const LONGEST = 48;
const MOST_PARTS = 5;
const LETTERS = /^[a-zäöüß]+$/u;
/** What may stand between two parts and belongs to neither. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er'];
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
const COST_OF_VERB = 0.3;
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
export function splitCompound(word: string, rankOf: RankOf): readonly string[] {
  if (word.length < SHORTEST || word.length > LONGEST || !LETTERS.test(word)) return [];
  const whole = rankOf(word);
  const most = whole === undefined ? Infinity : COST_OF_WHOLE + bits(whole);
  const ways: (Way | undefined)[] = [{ cost: 0, parts: [] }];
  for (let end = 2; end <= word.length; end++) {
    let best: Way | undefined;
    for (let start = 0; start <= end - 2; start++) {
      const before = ways[start];
      if (!before || before.parts.length === MOST_PARTS || (start === 0 && end === word.length)) continue;
      const part = cheapest(word.slice(start, end), end === word.length, rankOf);
      if (!part) continue;
      const cost = before.cost + part.cost;
      if (!best || cost < best.cost) best = { cost, parts: [...before.parts, part.word] };
    }
    ways[end] = best;
  }
  const found = ways[word.length];
  return found && found.parts.length > 1 && found.cost < most ? found.parts : [];
}

/** The known word that such a piece is, without its linking letters; a last piece has none. */
function cheapest(piece: string, last: boolean, rankOf: RankOf): { word: string; cost: number } | null {
  let best: { word: string; cost: number } | null = null;
  const offer = (word: string, extra: number): void => {
    const rank = rankOf(word);
    if (rank === undefined) return;
    const cost = COST_OF_PART + extra + bits(rank);
    if (!best || cost < best.cost) best = { word, cost };
  };
  offer(piece, 0);
  if (last) return best;
  for (const link of LINKS) {
    if (link !== '' && piece.length - link.length >= 3 && piece.endsWith(link)) {
      offer(piece.slice(0, -link.length), COST_OF_LINK);
    }
  }
  if (piece.length < 3 || PREFIXES.has(piece)) return best;
  // What the first part lost: Schulhaus, Waschmaschine, Lieferschein.
  offer(`${piece}e`, COST_OF_LINK);
  offer(`${piece}en`, COST_OF_VERB);
  offer(`${piece}n`, COST_OF_VERB);
  return best;
}

const bits = (rank: number): number => Math.log2(rank + 2) * COST_OF_BIT;
