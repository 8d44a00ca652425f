import type { Language } from '../ports.ts';
import { mayBelongTogether, splitMixed, startsWithDigit } from './keys.ts';
import { languageOfVotes } from './language.ts';
import { knownWords, type Key, type KnownWord } from './known-words.ts';
import { eachWord } from './runs.ts';

/** What a block is found by. */
export interface BlockText {
  readonly title: string;
  readonly name: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
  /** Of all of it, where its author says so; null: it is guessed. */
  readonly language: Language | null;
}

export interface BlockTerms {
  readonly keys: readonly Key[];
  /** For each key, in quarters: how often it stands there times the weight of the field, at most 255. */
  readonly weights: readonly number[];
  /** Words of body, headings and description, by which long blocks are told from short ones. */
  readonly length: number;
}

const FIELDS = ['title', 'name', 'description', 'headings', 'body'] as const;
/** Of one occurrence, in quarters: a word in the title counts five times. */
const WEIGHTS = { title: 20, name: 20, description: 12, headings: 8, body: 4 } as const;
const MOST = 255;
const MOST_JOINED = 4;
const JOINABLE = /^\p{L}{3,40}$/u;

/** A text in words; the lists are written over by the next text of the same place. */
interface Field {
  text: string;
  readonly words: KnownWord[];
  /** For each run the number of words up to its end. */
  readonly ends: number[];
  /** How many of `words` and `ends` are of this text. */
  size: number;
  runs: number;
  vote: number;
}

const emptyField = (): Field => ({ text: '', words: [], ends: [], size: 0, runs: 0, vote: 0 });

/** Takes blocks apart; keeps the keys of words it has met. The same block has the same terms whatever came before. */
export function blockAnalyser(): (block: BlockText) => BlockTerms {
  const words = knownWords();
  /** Each field as it was last: the blocks of a page follow each other and share title, name and headings. */
  let last = FIELDS.map(emptyField);
  let block = 0;
  let keys: Key[] = [];
  let weights: number[] = [];
  let into = last[0]!;
  const visitor = {
    word(lower: string, start: number, end: number, hash: number): void {
      const known = words.wordAt(lower, start, end, hash);
      into.words[into.size++] = known;
      into.vote += known.vote;
    },
    gap(): void {
      into.ends[into.runs++] = into.size;
    },
  };

  function read(field: Field, text: string): void {
    if (field.text === text) return;
    into = field;
    field.text = text;
    field.size = 0;
    field.runs = 0;
    field.vote = 0;
    eachWord(text, visitor);
  }

  function add(key: Key, weight: number): void {
    if (key.block === block) {
      weights[key.place] = Math.min(MOST, weights[key.place]! + weight);
      return;
    }
    key.block = block;
    key.place = keys.length;
    keys.push(key);
    weights.push(weight);
  }

  /** 1.5kW is 1,5 kW. */
  function addPair(first: KnownWord, second: KnownWord, weight: number): void {
    add(words.pair(first, second), weight);
    const number = second.digit && first.digit && startsWithDigit(second.word) ? splitMixed(second.word) : null;
    if (number) add(words.pair(first, words.word(number[0])), weight);
  }

  /** E-Mail-Adresse is email, mailadresse and emailadresse as well. `from`, `to`: a run among all words of the field. */
  function addJoined({ words: all }: Field, from: number, to: number, language: Language | null, weight: number): void {
    if (to - from > MOST_JOINED) return;
    const joined: string[] = [];
    let letters = all[from]!.letters;
    for (let at = from + 1; at < to; at++) {
      if (all[at]!.letters && all[at - 1]!.letters) joined.push(all[at - 1]!.word + all[at]!.word);
      letters &&= all[at]!.letters;
    }
    if (letters && to - from > 2) {
      let whole = '';
      for (let at = from; at < to; at++) whole += all[at]!.word;
      joined.push(whole);
    }
    if (joined.length === 0) return;
    const wholes = joined
      .filter(word => JOINABLE.test(word))
      .flatMap(word => words.keysOf(words.word(word), language).whole);
    for (const key of new Set(wholes)) add(key, weight);
  }

  function addRuns(field: Field, language: Language | null, weight: number): void {
    const { words: all, ends } = field;
    let before: KnownWord | undefined;
    let from = 0;
    for (let run = 0; run < field.runs; run++) {
      const to = ends[run]!;
      const first = all[from]!;
      if (before && (before.digit || first.digit) && mayBelongTogether(before.word, first.word)) {
        add(words.pair(before, first), weight);
      }
      for (let at = from; at < to; at++) {
        const { whole, parts } = words.keysOf(all[at]!, language);
        for (let n = 0; n < whole.length; n++) add(whole[n]!, weight);
        for (let n = 0; n < parts.length; n++) add(parts[n]!, weight / 2);
      }
      if (to - from > 1) {
        for (let at = from + 1; at < to; at++) addPair(all[at - 1]!, all[at]!, weight);
        addJoined(field, from, to, language, weight);
      }
      before = all[to - 1];
      from = to;
    }
  }

  return text => {
    if (words.turn()) last = FIELDS.map(emptyField);
    block += 1;
    keys = [];
    weights = [];
    let votes = 0;
    let length = 0;
    for (let place = 0; place < FIELDS.length; place++) {
      const field = last[place]!;
      const name = FIELDS[place]!;
      read(field, text[name]);
      // A name is an id and in no language: `a-1` holds no English word.
      if (name !== 'name') votes += field.vote;
      if (name !== 'title' && name !== 'name') length += field.size;
    }
    const language = text.language ?? languageOfVotes(votes);
    for (let place = 0; place < FIELDS.length; place++) addRuns(last[place]!, language, WEIGHTS[FIELDS[place]!]);
    return { keys, weights, length };
  };
}
