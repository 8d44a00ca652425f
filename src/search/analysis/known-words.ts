import type { Language } from '../ports.ts';
import { wordsWithin } from './compounds.ts';
import { fold } from './fold.ts';
import { hasDigit, keyOf, pairKey, splitMixed } from './keys.ts';
import { voteOf } from './language.ts';
import { germanWords } from './lexicon.ts';

/** What blocks are found by; one object for all blocks that have it. */
export interface Key {
  readonly text: string;
  /** Number under which a store keeps it, 0 as long as nobody said. */
  id: number;
  /** The last block that had it and its place among the keys of that block. */
  block: number;
  place: number;
}

interface WordKeys {
  readonly whole: readonly Key[];
  /** Of the parts of a compound. */
  readonly parts: readonly Key[];
}

export interface KnownWord {
  readonly word: string;
  readonly folded: string;
  readonly digit: boolean;
  /** Whether it has no character but letters. */
  readonly letters: boolean;
  /** What it says about the language of its text, for `languageOf`. */
  readonly vote: number;
  de: WordKeys | undefined;
  en: WordKeys | undefined;
  both: WordKeys | undefined;
  /** The word that stood behind it last, and what the two are found by: blocks of a page share title and headings. */
  follower: KnownWord | undefined;
  pair: Key | undefined;
}

/** Words and keys met before; texts use the same ones again and again. */
export interface KnownWords {
  word(word: string): KnownWord;
  /** The word that stands from `start` to `end`; one that was met with this `hash` is found without making a string of it. */
  wordAt(text: string, start: number, end: number, hash: number): KnownWord;
  /** Keys of a word in a text of that language. */
  keysOf(word: KnownWord, language: Language | null): WordKeys;
  pair(first: KnownWord, second: KnownWord): Key;
  /** To be called between two blocks. True when words and keys held by the caller may no longer be used. */
  turn(): boolean;
}

interface Generation {
  readonly words: Map<string, KnownWord>;
  readonly keys: Map<string, Key>;
}

/** Of each of two generations: when one is full, what was not used since the one before is forgotten. */
const REMEMBERED = 40_000;
/** Places where words are found by a number made of their letters, one word a place; a power of two. */
const PLACES = 2 ** 14;

export function knownWords(): KnownWords {
  let young: Generation = { words: new Map(), keys: new Map() };
  let old: Generation = { words: new Map(), keys: new Map() };
  /** Of the young generation alone. */
  const places: (KnownWord | null)[] = Array.from({ length: PLACES }, () => null);

  function key(text: string): Key {
    let found = young.keys.get(text);
    if (!found) {
      found = old.keys.get(text) ?? { text, id: 0, block: 0, place: 0 };
      young.keys.set(text, found);
    }
    return found;
  }

  /** Keys go along with their words, so that there are never two of one text. */
  function keep(known: KnownWord): void {
    young.words.set(known.word, known);
    known.follower = undefined;
    for (const keys of [known.de, known.en, known.both]) {
      if (!keys) continue;
      for (const each of keys.whole) young.keys.set(each.text, each);
      for (const each of keys.parts) young.keys.set(each.text, each);
    }
  }

  function keysFor({ word, vote }: KnownWord, language: Language | null): WordKeys {
    const whole = new Set(language === null ? [keyOf(word, 'de'), keyOf(word, 'en')] : [keyOf(word, language)]);
    const mixed = splitMixed(word);
    if (mixed) whole.add(pairKey(...mixed));
    // An umlaut makes a word German, whatever the text around it is.
    const german = language !== 'en' || vote > 0;
    const parts = german ? wordsWithin(word, germanWords()).map(part => keyOf(part, 'de')) : [];
    const others = [...new Set(parts)].filter(part => !whole.has(part));
    return { whole: [...whole].map(key), parts: others.map(key) };
  }

  function find(word: string): KnownWord {
    let known = young.words.get(word);
    if (!known) {
      known = old.words.get(word) ?? newWord(word);
      keep(known);
    }
    return known;
  }

  return {
    word: find,
    wordAt(text, start, end, hash) {
      const place = (hash ^ (hash >>> 14)) & (PLACES - 1);
      const there = places[place]!;
      if (there !== null && standsAt(text, start, end, there.word)) return there;
      return (places[place] = find(text.slice(start, end)));
    },
    keysOf(known, language) {
      if (language === 'de') return (known.de ??= keysFor(known, language));
      if (language === 'en') return (known.en ??= keysFor(known, language));
      return (known.both ??= keysFor(known, language));
    },
    pair(first, second) {
      if (first.follower !== second || first.pair === undefined) {
        first.follower = second;
        first.pair = key(`${first.folded} ${second.folded}`);
      }
      return first.pair;
    },
    turn() {
      if (young.words.size < REMEMBERED && young.keys.size < 2 * REMEMBERED) return false;
      old = young;
      young = { words: new Map(), keys: new Map() };
      places.fill(null);
      return true;
    },
  };
}

function standsAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (text.charCodeAt(start + at) !== word.charCodeAt(at)) return false;
  return true;
}

const LETTERS = /^\p{L}+$/u;

function newWord(slice: string): KnownWord {
  // A piece of a string keeps the whole string in memory; this one is a piece of its own copy.
  const word = ` ${slice}`.slice(1);
  return {
    word,
    folded: fold(word),
    digit: hasDigit(word),
    letters: LETTERS.test(word),
    vote: voteOf(word),
    de: undefined,
    en: undefined,
    both: undefined,
    follower: undefined,
    pair: undefined,
  };
}
