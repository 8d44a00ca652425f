import type { Language } from '../ports.ts';
import { splitCompound } from './compounds.ts';
import { keyOf, mayBelongTogether, pairKey, splitMixed } from './keys.ts';
import { languageOfVotes, voteOf } from './language.ts';
import { germanWords } from './lexicon.ts';
import { runsOf } from './runs.ts';

/** What a block is found by. */
export interface BlockText {
  readonly title: string;
  readonly name: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
}

export interface BlockTerms {
  /** Key to weight, in quarters: how often it stands there times the weight of the field, at most 255. */
  readonly weights: ReadonlyMap<string, number>;
  /** Words of body, headings and description, by which long blocks are told from short ones. */
  readonly length: number;
}

const FIELDS = ['title', 'name', 'description', 'headings', 'body'] as const;
/** Of one occurrence, in quarters: a word in the title counts five times. */
const WEIGHTS = { title: 20, name: 20, description: 12, headings: 8, body: 4 } as const;
const MOST = 255;
const MOST_JOINED = 4;
const JOINABLE = /^\p{L}{3,40}$/u;
const LANGUAGES = ['de', 'en'] as const;
/** Words of which the keys are remembered; texts use the same words again and again. */
const REMEMBERED = 100_000;

interface WordKeys {
  readonly whole: readonly string[];
  readonly parts: readonly string[];
}

/** What is known of a word, its keys from the first time on that a language needs them. */
interface Known {
  readonly word: string;
  readonly vote: number;
  de?: WordKeys;
  en?: WordKeys;
  both?: WordKeys;
}

/** Takes blocks apart; keeps the keys of words it has met. The same block has the same terms whatever came before. */
export function blockAnalyser(): (block: BlockText) => BlockTerms {
  const words = new Map<string, Known>();

  function known(word: string): Known {
    let found = words.get(word);
    if (!found) {
      if (words.size >= REMEMBERED) words.clear();
      found = { word, vote: voteOf(word) };
      words.set(word, found);
    }
    return found;
  }

  /** Each field as it was last: the blocks of a page follow each other and share title, name and headings. */
  const last = FIELDS.map(() => ({ text: '', runs: [] as Known[][] }));

  function runsIn(text: string, place: number): Known[][] {
    if (last[place]!.text !== text) last[place] = { text, runs: runsOf(text).map(run => run.map(known)) };
    return last[place]!.runs;
  }

  return block => {
    const fields = FIELDS.map((field, place) => runsIn(block[field], place));
    const language = languageOfVotes(fields.flat(2).map(({ vote }) => vote));
    const weights = new Map<string, number>();
    const add = (key: string, weight: number): void => {
      weights.set(key, Math.min(MOST, (weights.get(key) ?? 0) + weight));
    };
    let length = 0;
    for (const [at, field] of FIELDS.entries()) {
      const weight = WEIGHTS[field];
      let before = '';
      for (const run of fields[at]!) {
        const first = run[0]!.word;
        if (before !== '' && mayBelongTogether(before, first)) add(pairKey(before, first), weight);
        for (const one of run) {
          const { whole, parts } = (one[language ?? 'both'] ??= wordKeys(one.word, language));
          for (const key of whole) add(key, weight);
          for (const key of parts) add(key, weight / 2);
        }
        if (run.length > 1) {
          for (let place = 1; place < run.length; place++) add(pairKey(run[place - 1]!.word, run[place]!.word), weight);
          for (const key of joined(run, language)) add(key, weight);
        }
        if (field !== 'title' && field !== 'name') length += run.length;
        before = run.at(-1)!.word;
      }
    }
    return { weights, length };
  };
}

function wordKeys(word: string, language: Language | null): WordKeys {
  const whole = new Set(language === null ? [keyOf(word, 'de'), keyOf(word, 'en')] : [keyOf(word, language)]);
  const mixed = splitMixed(word);
  if (mixed) whole.add(pairKey(...mixed));
  const parts = language === 'en' ? [] : splitCompound(word, germanWords()).map(part => keyOf(part, 'de'));
  return { whole: [...whole], parts: [...new Set(parts)].filter(part => !whole.has(part)) };
}

/** E-Mail-Adresse is email, mailadresse and emailadresse as well. */
function joined(run: readonly Known[], language: Language | null): ReadonlySet<string> {
  if (run.length > MOST_JOINED) return new Set();
  const words = [...run.slice(1).map(({ word }, at) => run[at]!.word + word), run.map(({ word }) => word).join('')];
  const languages = language === null ? LANGUAGES : [language];
  return new Set(words.filter(word => JOINABLE.test(word)).flatMap(word => languages.map(each => keyOf(word, each))));
}
