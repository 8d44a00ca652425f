import { dictionary } from '@zxcvbn-ts/language-de';
import { splitCompound } from '../../src/search/analysis/compounds.ts';
import { keyOf } from '../../src/search/analysis/keys.ts';
import { germanWords } from '../../src/search/analysis/lexicon.ts';
import { STOP_WORDS } from '../../src/search/analysis/stop-words.ts';

/** One block of the corpus and what was hidden in it. */
export interface SampleBlock {
  readonly title: string;
  readonly body: string;
  readonly german: boolean;
  /** Its words by how often the corpus uses them, the rarest first. */
  readonly content: readonly string[];
  /** First part, last part and the whole of a compound that no other block has; in some blocks. */
  readonly compound: readonly [string, string, string] | null;
  /** A word of its own, in some blocks. */
  readonly rare: string | null;
}

export interface SearchCorpus {
  /** The n-th block; the same whenever it is asked for. */
  block(n: number): SampleBlock;
  /** Words that no block has. */
  unheard(n: number): string;
  /** A word as often as the corpus has it. */
  word(random: () => number, german: boolean): string;
  /** Grammar words of a language. */
  small(random: () => number, german: boolean): string;
}

const WORDS = 40_000;
const PARTS = 4000;
const SHARE_OF_SMALL = 0.42;
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dro fle gri'.split(' ');

/** Random numbers from 0 up to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (Math.imul(seed, 2_654_435_761) ^ 0x9e37_79b9) >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Blocks of about 350 characters, half of them German and half English, with words as frequent as in real text (Zipf), real German
 * words and compounds, made English ones, and codes. The first 20,000 blocks have 2,000 compounds, and every fifth block has a word, of their
 * own.
 */
export function searchCorpus(): SearchCorpus {
  const listed = (dictionary['wikipedia'] ?? []).filter(word => /^[a-zäöüß]{4,14}$/u.test(word));
  const rank = germanWords();
  const plain = listed.filter(word => splitCompound(word, rank).length === 0 && !STOP_WORDS.de.has(word));
  const stems = new Map<string, number>();
  for (const word of listed) stems.set(keyOf(word, 'de'), (stems.get(keyOf(word, 'de')) ?? 0) + 1);
  // Parts by which few other blocks are found: no other word has their stem.
  const known = plain.filter(
    word => word.length >= 5 && word.length <= 9 && rank(word) !== undefined && stems.get(keyOf(word, 'de')) === 1,
  );
  const parts = known.slice(2000, 2000 + PARTS);
  const taken = new Set(parts);
  const german = plain.filter(word => !taken.has(word)).slice(0, WORDS);
  const english = Array.from({ length: WORDS }, (_, n) => made(n, ''));
  const [germanRanks, englishRanks] = [german, english].map(list => new Map(list.map((each, at) => [each, at])));
  const smallWords = { de: [...STOP_WORDS.de], en: [...STOP_WORDS.en] };

  const zipf = (random: () => number, size: number): number => Math.floor(size ** random()) - 1;
  const word: SearchCorpus['word'] = (random, isGerman) => {
    const list = isGerman ? german : english;
    return list[zipf(random, list.length)]!;
  };
  const small: SearchCorpus['small'] = (random, isGerman) => {
    const list = isGerman ? smallWords.de : smallWords.en;
    return list[zipf(random, list.length)]!;
  };

  return {
    word,
    small,
    unheard: n => `${made(n, 'qu')}qx`,
    block(n) {
      const random = randomFrom(n + 1);
      const isGerman = n % 2 === 0;
      const ranks = (isGerman ? germanRanks : englishRanks)!;
      const length = 25 + Math.floor(random() * 50);
      const words: string[] = [];
      for (let at = 0; at < length; at++)
        words.push(random() < SHARE_OF_SMALL ? small(random, isGerman) : word(random, isGerman));
      const content = words.filter(each => ranks.has(each));
      const compound = n % 10 === 0 && n / 10 < PARTS / 2 ? ([parts[n / 5]!, parts[n / 5 + 1]!] as const) : null;
      const whole = compound && joined(...compound);
      const rare = n % 5 === 1 ? made(n, 'zw') : null;
      const extra = [whole, rare, n % 4 === 3 ? `ESC-${100_000 + n}` : null].filter(each => each !== null);
      words.splice(Math.floor(random() * words.length), 0, ...extra);
      const ranked = [...new Set(content)].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
      return {
        title: `${word(random, isGerman)} ${n}`,
        body: `${words.join(' ')}.`,
        german: isGerman,
        content: ranked,
        compound: compound && [...compound, whole!],
        rare,
      };
    },
  };
}

/** A word of syllables, another for each number. */
function made(n: number, beginning: string): string {
  let text = beginning;
  for (let left = n + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length)) {
    text += SYLLABLES[left % SYLLABLES.length]!;
  }
  return text;
}

/** As German joins them: with an s after some endings. */
const joined = (first: string, last: string): string =>
  `${first}${/(ung|heit|keit|ion|tät)$/u.test(first) ? 's' : ''}${last}`;
