import type { Language, LexicalQuestion } from '../ports.ts';
import { splitCompound } from './compounds.ts';
import { fold } from './fold.ts';
import { keyOf, mayBelongTogether, startsWithDigit, pairKey, splitMixed } from './keys.ts';
import { languageOf } from './language.ts';
import { germanWords } from './lexicon.ts';
import { runsOf } from './runs.ts';
import { STOP_WORDS } from './stop-words.ts';

/** One thing a question asks for; a block answers it by any of its keys. */
export interface Wanted {
  /** A word or code in lower case, as typed or a part of a compound. */
  readonly word: string;
  /** What was typed: the word itself, or the compound that it is a part of. */
  readonly typed: string;
  /** How often the question says it. */
  readonly times: number;
  /** Keys that are as good as each other. */
  readonly any: readonly string[];
  /** Keys of neighbours that a block must have all of: the words of a code. */
  readonly all: readonly string[];
  /** Share of a whole word's weight: less for what was only derived from one. */
  readonly share: number;
  /** Whether another spelling may be looked for when no block has this one. */
  readonly correctable: boolean;
}

/** Two words next to each other that may also be written as one, codes first: `RAL 9005`, `data set`. */
export interface Joined {
  /** As in `Wanted`. */
  readonly words: readonly [string, string];
  readonly any: readonly string[];
  /** Share of a word's weight, beyond what else is wanted. */
  readonly share: number;
}

export interface Question {
  readonly wanted: readonly Wanted[];
  readonly joined: readonly Joined[];
  readonly language: Language | null;
}

/** Of a longer text the beginning is looked at. */
const MOST_LETTERS = 20_000;
const MOST_WORDS_OF_RUN = 24;
const SHARE_OF_PART = 0.3;
const SHARE_OF_PAIR = 0.6;
const SHARE_OF_JOINED = 0.8;
const SHARE_OF_LOOSE_WORD = 0.4;
const LETTERS = /^[\p{L}\p{M}]+$/u;
const DIGIT = /\p{N}/u;
/** Shorter words are too near to too many others. */
const SHORTEST_TO_CORRECT = 4;
const SHORTEST_JOINED = 6;
const SPELT_RANKS = 30_000;

/** A question as things wanted. Grammar words count only where there are no others; text without a letter or digit wants nothing. */
export function questionOf({ text, language: given }: LexicalQuestion): Question {
  const runs = runsOf(beginningOf(text)).map(run => run.slice(0, MOST_WORDS_OF_RUN));
  const language = given ?? languageOf(runs);
  const stop = (word: string): boolean => isStopWord(word, language);
  const content = runs.filter(run => run.length > 1 || !stop(run[0]!));
  const wanted = new Map<string, Wanted>();
  const add = (one: Omit<Wanted, 'times'>): void => {
    const known = wanted.get(one.word);
    if (!known) wanted.set(one.word, { ...one, times: 1 });
    else wanted.set(one.word, { ...known, times: known.times + 1, ...stronger(known, one) });
  };
  for (const run of content.length > 0 ? content : runs) {
    if (run.length === 1) for (const one of wantedWord(run[0]!, 1)) add(one);
    else for (const one of wantedRun(run, stop)) add(one);
  }
  const pairs = runs.slice(1).flatMap((run, at) => pairOf(runs[at]!.at(-1)!, run[0]!, stop));
  for (const { words, any } of pairs) {
    const word = words.join(' ');
    add({ ...NOTHING, word, typed: word, any, share: SHARE_OF_PAIR });
  }
  const compounds = runs.slice(1).flatMap((run, at) => joinedOf(runs[at]!, run, stop));
  return { wanted: [...wanted.values()], joined: [...pairs, ...compounds], language };
}

/** A number and its unit, or a series and its number: wanted as a pair by itself. Who writes it as one word has both words. */
function pairOf(first: string, second: string, stop: (word: string) => boolean): Joined[] {
  if (!mayBelongTogether(first, second) || stop(first) || (second.length > 1 && stop(second))) return [];
  return [{ words: [first, second], any: [pairKey(first, second)], share: 0 }];
}

function joinedOf(before: readonly string[], run: readonly string[], stop: (word: string) => boolean): Joined[] {
  const [first, second] = [before[0]!, run[0]!];
  if (before.length > 1 || run.length > 1 || !LETTERS.test(first + second) || stop(first) || stop(second)) return [];
  if (first.length + second.length < SHORTEST_JOINED) return [];
  return [{ words: [first, second], any: keysOfWord(first + second), share: SHARE_OF_JOINED }];
}

function beginningOf(text: string): string {
  if (text.length <= MOST_LETTERS) return text;
  const cut = text.slice(0, MOST_LETTERS);
  return cut.slice(0, Math.max(cut.search(/\s\S*$/u), 0)) || cut;
}

const NOTHING = { any: [], all: [], correctable: false } as const;

/** A part of a compound that is also asked for by itself counts as that. */
const stronger = (a: Omit<Wanted, 'times'>, b: Omit<Wanted, 'times'>): Pick<Wanted, 'share' | 'typed'> =>
  b.share > a.share ? { share: b.share, typed: b.typed } : { share: a.share, typed: a.typed };

function isStopWord(word: string, language: Language | null): boolean {
  const key = fold(word);
  if (language !== null) return STOP_WORDS[language].has(key) || STOP_WORDS[language].has(word);
  return STOP_WORDS.de.has(key) || STOP_WORDS.en.has(word);
}

function wantedWord(word: string, share: number): Omit<Wanted, 'times'>[] {
  const any = keysOfWord(word);
  const mixed = splitMixed(word);
  const split = splitCompound(word, germanWords());
  const correctable = word.length >= SHORTEST_TO_CORRECT && LETTERS.test(word) && !isSpelt(word);
  const whole = { ...NOTHING, word, typed: word, any: mixed ? [...any, pairKey(...mixed)] : any, share, correctable };
  const parts = split.map(part => ({
    ...NOTHING,
    word: part,
    typed: word,
    any: [keyOf(part, 'de')],
    share: share * SHARE_OF_PART,
  }));
  return [whole, ...parts];
}

/** Whether the word list has it, beyond the rare words where lists have errors. */
function isSpelt(word: string): boolean {
  const rank = germanWords()(word);
  return rank !== undefined && rank < SPELT_RANKS;
}

/** Words without white space between: they stand next to each other, or else a hyphenated word is also its parts. */
function wantedRun(run: readonly string[], stop: (word: string) => boolean): Omit<Wanted, 'times'>[] {
  const word = run.join(' ');
  // 1.5kW is 1,5 kW.
  const apart = run.flatMap((each, at) => (at > 0 && startsWithDigit(each) && splitMixed(each)) || [each]);
  const pairs = apart.slice(1).map((second, at) => pairKey(apart[at]!, second));
  const whole = run.join('');
  const any = LETTERS.test(whole) ? keysOfWord(whole) : [];
  const words = run.filter(each => !stop(each));
  const together = { ...NOTHING, word, typed: word, any, all: pairs, share: 1 };
  if (run.some(each => DIGIT.test(each))) return [together];
  return [together, ...words.flatMap(each => wantedWord(each, SHARE_OF_LOOSE_WORD))];
}

/** Keys of a word in every language: blocks are stemmed by their own, which a question cannot know. */
export const keysOfWord = (word: string): string[] => [...new Set([keyOf(word, 'de'), keyOf(word, 'en')])];
