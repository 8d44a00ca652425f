import { questionOf, wordsOfKeys, type Joined, type Wanted } from '../../../search/index.ts';
import type {
  Correction,
  LaneFilter,
  LexicalAnswer,
  LexicalHit,
  LexicalQuestion,
  SynonymsOfWord,
  SynonymsSaid,
} from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { SLOTS } from '../index/tables.ts';
import { bestOf, type Best } from './best.ts';
import { codesHolding } from './code-pieces.ts';
import { candidatesFor } from './corrections.ts';
import { corpusCompounds, type CorpusCompounds } from './corpus-compounds.ts';
import { postingReader, type KnownTerm } from './posting-reader.ts';
import { reaches, stateOf, type Reach } from './reach.ts';
import { scorer, type Clause, type Tally } from './scorer.ts';
import { snapshot } from './snapshot.ts';
import { synonymClauses } from './synonyms.ts';
import { vocabulary } from './vocabulary.ts';

/** The lexical lane on one connection, which may be a reading one of another thread. */
export interface LexicalReader {
  /** Blocks that answer a question. Sees what is committed, and what its own connection has not committed yet. */
  ask(question: LexicalQuestion, filter: LaneFilter, limit: number): LexicalAnswer;
  /** Forgets what it knows, after the connection rolled back a transaction. */
  reset(): void;
}

/** A longer question is cut to what tells most. */
const MOST_CLAUSES = 31;
/** The bit of what answers no clause as a whole. */
const IN_PART = 31;
const MOST_LOOKED_UP = 800;
/** Postings read for one question beyond its first clause. */
const MOST_POSTINGS = 8_000_000;
/** A question of so few words is answered best by blocks with all of them. */
const FEW_WORDS = 4;
const MOST_CORRECTED = 6;
/** Pages looked at one by one before a word counts as out of reach. */
const MOST_ASKED = 64;
/** Spellings about as likely as the likeliest that is in reach, each a little less than the one before. */
const SPELLINGS = 6;
const AS_LIKELY = 0.5;
const LESS_FOR_CORRECTED = 0.85;
/** Of a code that holds what was asked for. */
const SHARE_OF_LONGER_CODE = 0.5;
/** Of a word that a document writes as two. */
const SHARE_OF_APART = 0.6;
const MOST_JOINED = 24;
/** Words of a question for which compounds of the corpus are looked for, and the share of such a compound and of its parts. */
const MOST_COMPOUNDED = 4;
const SHARE_OF_COMPOUND = 0.5;
const SHARE_OF_PART = 0.3;

interface Planned {
  readonly wanted: Wanted;
  readonly clause: Clause;
  readonly docs: number;
}

interface Counted extends Planned {
  readonly bit: number;
  readonly tally: Tally;
}

interface Instead {
  readonly word: string;
  readonly keys: readonly string[];
}

interface HitRow {
  page_id: string;
  anchor: string;
  content: string;
}

export function lexicalReader(db: Db): LexicalReader {
  const docs = snapshot(db);
  const postings = postingReader(db, docs);
  const words = vocabulary(db);
  const reachOf = reaches(db);
  const scores = scorer(docs, postings);
  const row = db.prepare<[number, number], HitRow>(
    `SELECT p.page_id, b.anchor, b.content FROM block b JOIN page p ON p.page_no = ? WHERE b.block_id = ?`,
  );

  const known = (keys: readonly string[]): KnownTerm[] => keys.flatMap(key => postings.term(key) ?? []);

  function plan(wanted: Wanted): Planned {
    const all = wanted.all.map(key => postings.term(key));
    const together = all.every(term => term !== undefined) ? all : null;
    const clause = { any: known(wanted.any), all: together, weight: weightOf(wanted) };
    const lists = [...clause.any, ...(clause.all ?? [])];
    return { wanted, clause, docs: lists.reduce((sum, term) => sum + term.docs, 0) };
  }

  /** What tells most, the rarest first. */
  function planned(all: readonly Wanted[]): Planned[] {
    const plans = all.slice(0, MOST_LOOKED_UP).map(plan);
    if (plans.length <= MOST_CLAUSES) return plans.toSorted((a, b) => a.docs - b.docs);
    const worth = ({ clause, docs: found }: Planned): number =>
      found === 0 ? 0 : clause.weight * Math.log(1 + docs.count() / found);
    return plans
      .toSorted((a, b) => worth(b) - worth(a))
      .slice(0, MOST_CLAUSES)
      .toSorted((a, b) => a.docs - b.docs);
  }

  function seen(tally: Tally, reach: Reach): boolean {
    const { marks, blockIds } = docs.docs;
    return tally.sample.some(doc => reach.states[marks[doc]!] === 1 || reach.passes(blockIds[doc]!));
  }

  /** Whether a document with the term is in reach. */
  function visible(term: KnownTerm, reach: Reach): boolean {
    const { marks, blockIds } = docs.docs;
    const list = postings.read(term.id);
    let asked = 0;
    for (let at = 0; at < list.size && asked < MOST_ASKED; at++) {
      const doc = list.docs[at]!;
      const state = stateOf(reach, docs.docs, doc);
      if (marks[doc] === 0 || state === 0) continue;
      if (state === 1 || reach.passes(blockIds[doc]!)) return true;
      asked += 1;
    }
    return false;
  }

  /** Scores a word by compounds that the corpus has beyond the word list; whether there were any. */
  function around({ wanted, clause }: Planned, bit: number, compounds: CorpusCompounds): boolean {
    const any = compounds.around(wanted);
    if (any.length > 0) scores.add({ any, all: null, weight: clause.weight * SHARE_OF_COMPOUND }, bit);
    return any.length > 0;
  }

  /** Scores a piece of a code by the codes that hold it; null where there are none. */
  function inside({ wanted, clause }: Planned, bit: number, reach: Reach): Tally | null {
    const any = codesHolding(wanted, words, postings, term => visible(term, reach));
    return any.length === 0 ? null : scores.add({ any, all: null, weight: clause.weight * SHARE_OF_LONGER_CODE }, bit);
  }

  /** Scores a word by what means the same; the phrases that somebody in reach says. */
  function synonymous({ clause, bit, tally }: Counted, word: SynonymsOfWord, reach: Reach): string[] {
    const weighed = { weight: clause.weight, docs: tally.docs };
    const also = synonymClauses(word, postings.term, weighed).flatMap(({ ways, ...one }) => {
      const found = scores.add(one, bit);
      return ways.filter(({ terms }) => (terms.length === 1 ? visible(terms[0]!, reach) : seen(found, reach)));
    });
    return [...new Set(also.map(({ phrase }) => phrase))];
  }

  /** Scores a word that nobody in reach has by the two words that it is made of; those who have both answer it. */
  function byParts(
    { wanted, clause }: Planned,
    bit: number,
    split: boolean,
    compounds: CorpusCompounds,
    reach: Reach,
  ): Tally | null {
    const parts = compounds.partsOf(wanted);
    if (parts.length === 0) return null;
    for (const term of parts) {
      scores.add({ any: [term], all: null, weight: clause.weight * SHARE_OF_PART }, IN_PART);
    }
    // Parts that the word list knows are asked for anyway, and those who have them answer these.
    if (split) return null;
    const both = scores.add({ any: [], all: parts, weight: clause.weight * SHARE_OF_APART }, bit);
    return seen(both, reach) ? both : null;
  }

  /** Scores two words of the question by the one word that they may also be. */
  function asOne({ words: two, any, share }: Joined, counted: readonly Counted[]): void {
    const [bit = IN_PART, also = bit] = counted.filter(one => two.includes(one.wanted.word)).map(one => one.bit);
    scores.add({ any: known(any), all: null, weight: share, also }, bit);
  }

  /** Scores a word nobody in reach has by the spellings it may stand for. */
  function corrected({ wanted, clause }: Planned, bit: number, reach: Reach): { tally: Tally; keys: string[] } | null {
    const keys: string[] = [];
    let best: Tally | null = null;
    let least = Infinity;
    for (const { key, term, cost } of candidatesFor(wanted, words, postings)) {
      if (cost > least + AS_LIKELY) break;
      const weight = clause.weight * LESS_FOR_CORRECTED ** (keys.length + 1);
      const tally = scores.add({ any: [term], all: null, weight }, bit);
      if (!seen(tally, reach)) continue;
      best ??= tally;
      least = Math.min(least, cost);
      keys.push(key);
      if (keys.length === SPELLINGS) break;
    }
    return best && { tally: best, keys };
  }

  function search(question: LexicalQuestion, filter: LaneFilter, limit: number): LexicalAnswer {
    docs.refresh();
    const { wanted, language, ...asked } = questionOf(question);
    const reach = reachOf(filter);
    scores.begin(reach);
    let counted: Counted[] = [];
    const unheard: (Planned & { readonly bit: number })[] = [];
    const joined = asked.joined
      .slice(0, MOST_JOINED)
      .filter(({ any }) => known(any).some(term => visible(term, reach)));
    const together = new Set(joined.flatMap(one => one.words));
    const instead: Instead[] = [];
    const alike = new Map(question.synonyms?.map(one => [one.word, one]));
    const synonyms: SynonymsSaid[] = [];
    const mayCorrect = wanted.length <= MOST_CLAUSES;
    let read = 0;
    let looked = 0;
    const compounds = corpusCompounds(words, postings, term => visible(term, reach));
    for (const [bit, one] of planned(wanted).entries()) {
      if (read > 0 && read + one.docs > MOST_POSTINGS) break;
      read += one.docs;
      let tally = scores.add(one.clause, bit);
      const synonym = alike.get(one.wanted.word);
      const alone = one.wanted.correctable && !synonym && mayCorrect && !seen(tally, reach);
      const german = one.wanted.correctable && language !== 'en' && looked++ < MOST_COMPOUNDED;
      const compound = german && around(one, bit, compounds);
      if (alone && !compound && !together.has(one.wanted.word)) unheard.push({ ...one, bit });
      if (!one.wanted.correctable && mayCorrect && !seen(tally, reach)) tally = inside(one, bit, reach) ?? tally;
      const now = { ...one, bit, tally: seen(tally, reach) ? tally : { ...tally, reachable: 0 } };
      const also = synonym ? synonymous(now, synonym, reach) : [];
      if (also.length > 0) synonyms.push({ word: one.wanted.word, also });
      counted.push(now);
    }
    for (const one of joined) asOne(one, counted);
    for (const one of unheard) {
      const other = instead.length < MOST_CORRECTED ? corrected(one, one.bit, reach) : null;
      const split = wanted.some(({ typed, word }) => typed === one.wanted.word && word !== typed);
      const tally = other?.tally ?? byParts(one, one.bit, split, compounds, reach);
      if (other) instead.push({ word: one.wanted.word, keys: other.keys });
      if (tally) counted = counted.map(each => (each.bit === one.bit ? { ...each, tally } : each));
    }
    const best = limit <= 0 ? [] : bestOf(scores.touched(), docs, reach, everyOf(counted), limit);
    const hits = best.flatMap(one => hitOf(one, counted));
    return {
      hits,
      words: [
        ...new Set([
          ...wanted.flatMap(one => one.any),
          ...instead.flatMap(one => one.keys),
          ...synonyms.flatMap(one => one.also),
        ]),
      ],
      language,
      corrections: correctionsIn(hits, instead),
      synonyms,
    };
  }

  function hitOf({ doc, score, answered }: Best, counted: readonly Counted[]): LexicalHit[] {
    const blockId = docs.docs.blockIds[doc]!;
    const found = row.get(Math.floor(blockId / SLOTS), blockId);
    if (!found) return [];
    const whole = counted.reduce((sum, one) => sum + worthOf(one, docs.count()), 0);
    const matched = counted.filter(({ bit }) => (answered & (1 << bit)) !== 0);
    return [
      {
        pageId: found.page_id,
        anchor: found.anchor,
        content: found.content,
        score,
        matched: [...new Set(matched.map(({ wanted }) => wanted.typed))].sort(),
        coverage: whole === 0 ? 0 : matched.reduce((sum, one) => sum + worthOf(one, docs.count()), 0) / whole,
      },
    ];
  }

  return {
    ask(question, filter, limit) {
      if (db.inTransaction) return search(question, filter, limit);
      return db.transaction(search)(question, filter, limit);
    },
    reset() {
      docs.reset();
      words.reset();
    },
  };
}

const weightOf = ({ share, times }: Wanted): number => share * (1 + Math.min(2, Math.log(times)));

/** Bits of the words of a short question, 0 for a long one. */
function everyOf(counted: readonly Counted[]): number {
  const whole = counted.filter(({ wanted, tally }) => wanted.share === 1 && tally.reachable > 0);
  return whole.length > FEW_WORDS ? 0 : whole.reduce((bits, { bit }) => bits | (1 << bit), 0);
}

/** By documents in reach alone, so that coverage tells nothing about others. */
const worthOf = ({ clause, tally }: Counted, docs: number): number =>
  clause.weight * Math.log(1 + (docs + 1) / (tally.reachable + 0.5));

/** Corrections as they stand in the hits: no spelling is shown that the caller cannot read there. */
function correctionsIn(hits: readonly LexicalHit[], instead: readonly Instead[]): Correction[] {
  const keys = new Set(instead.flatMap(one => one.keys));
  if (keys.size === 0) return [];
  const spelt = new Map<string, string>();
  for (const { content } of hits) {
    for (const [key, word] of wordsOfKeys(content, keys)) if (!spelt.has(key)) spelt.set(key, word);
  }
  return instead.flatMap(({ word, keys: own }) => {
    const key = own.find(each => spelt.has(each));
    return key === undefined ? [] : [{ word, instead: spelt.get(key)! }];
  });
}
