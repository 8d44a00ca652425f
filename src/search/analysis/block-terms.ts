import type { Language } from '../ports.ts';
import { mayBelongTogether, splitMixed, startsWithDigit } from './keys.ts';
import { languageOfVotes } from './language.ts';
import { knownWords, type Key, type KnownWord } from './known-words.ts';
import { runsOf } from './runs.ts';

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

interface Field {
  readonly text: string;
  readonly runs: readonly (readonly KnownWord[])[];
  readonly vote: number;
}

const EMPTY: Field = { text: '', runs: [], vote: 0 };

/** Takes blocks apart; keeps the keys of words it has met. The same block has the same terms whatever came before. */
export function blockAnalyser(): (block: BlockText) => BlockTerms {
  const words = knownWords();
  /** Each field as it was last: the blocks of a page follow each other and share title, name and headings. */
  let last = FIELDS.map(() => EMPTY);
  let block = 0;
  let keys: Key[] = [];
  let weights: number[] = [];

  function fieldAt(place: number, text: string): Field {
    const known = last[place]!;
    if (known.text === text) return known;
    const runs = runsOf(text).map(run => run.map(words.word));
    const vote = runs.reduce((sum, run) => run.reduce((total, one) => total + one.vote, sum), 0);
    return (last[place] = { text, runs, vote });
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

  /** E-Mail-Adresse is email, mailadresse and emailadresse as well. */
  function addJoined(run: readonly KnownWord[], language: Language | null, weight: number): void {
    if (run.length > MOST_JOINED) return;
    const joined = [...run.slice(1).map(({ word }, at) => run[at]!.word + word), run.map(({ word }) => word).join('')];
    const wholes = joined
      .filter(word => JOINABLE.test(word))
      .flatMap(word => words.keysOf(words.word(word), language).whole);
    for (const key of new Set(wholes)) add(key, weight);
  }

  return text => {
    if (words.turn()) last = FIELDS.map(() => EMPTY);
    block += 1;
    keys = [];
    weights = [];
    const fields = FIELDS.map((field, place) => fieldAt(place, text[field]));
    // A name is an id and in no language: `a-1` holds no English word.
    const votes = fields.map(({ vote }, place) => (FIELDS[place] === 'name' ? 0 : vote));
    const language = text.language ?? languageOfVotes(votes.reduce((sum, vote) => sum + vote, 0));
    let length = 0;
    for (const [at, field] of FIELDS.entries()) {
      const weight = WEIGHTS[field];
      let before: KnownWord | undefined;
      for (const run of fields[at]!.runs) {
        const first = run[0]!;
        if (before && (before.digit || first.digit) && mayBelongTogether(before.word, first.word)) {
          add(words.pair(before, first), weight);
        }
        for (const one of run) {
          const { whole, parts } = words.keysOf(one, language);
          for (const key of whole) add(key, weight);
          for (const key of parts) add(key, weight / 2);
        }
        if (run.length > 1) {
          for (let place = 1; place < run.length; place++) addPair(run[place - 1]!, run[place]!, weight);
          addJoined(run, language, weight);
        }
        if (field !== 'title' && field !== 'name') length += run.length;
        before = run.at(-1);
      }
    }
    return { keys, weights, length };
  };
}
