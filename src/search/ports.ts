import type { ReadScope } from '../auth/schema.ts';
import type { FilterClause } from './schema.ts';

/** What narrows a lane. Every lane applies all of it by itself, before fusion (architecture 5). */
export interface LaneFilter {
  readonly scope: ReadScope;
  readonly pageType: 'skill' | 'instance' | null;
  readonly skill: string | null;
  readonly pageId: string | null;
  /** RFC 3339 UTC; undated pages survive every cut (S27). */
  readonly asOf: string | null;
  /** null: base pages only; a name: base and that overlay. */
  readonly scenario: string | null;
  readonly clauses: readonly FilterClause[];
}

/** One term of a query: the words that must stand next to each other, as the user typed them. */
export interface Term {
  readonly words: readonly string[];
}

export interface LaneHit {
  readonly pageId: string;
  readonly anchor: string;
  readonly content: string;
  /** Larger is better; comparable within one answer of one lane only. */
  readonly score: number;
}

/** Languages whose words are taken to their stems. */
export type Language = 'de' | 'en';

/** What is asked of a lexical lane, in the words of the user. */
export interface LexicalQuestion {
  readonly text: string;
  /** Language of the text when it is known; guessed otherwise. */
  readonly language?: Language;
  /** What blocks may say in place of its words; it counts less. */
  readonly synonyms?: readonly SynonymsOfWord[];
}

/** Phrases of the meaning of a word, or of the phrase that it is part of. */
export interface SynonymsOfWord {
  /** Lower case, as the question spells it. */
  readonly word: string;
  /** `ways`: keys of which a block with the phrase has all, in one of its languages. */
  readonly others: readonly { readonly phrase: string; readonly ways: readonly (readonly string[])[] }[];
}

export interface LexicalHit extends LaneHit {
  /** Words of the question, lower-case as typed, that the block answers in whole or in part; a corrected word stands as typed. */
  readonly matched: readonly string[];
  /** Weight of these words among all words of the question that carry weight, 0 to 1. */
  readonly coverage: number;
}

/** A word of the question that no page has, and the spelling that was looked for instead. */
export interface Correction {
  readonly word: string;
  readonly instead: string;
}

/** A word of the question, and what of the same meaning was looked for as well. */
export interface SynonymsSaid {
  readonly word: string;
  readonly also: readonly string[];
}

export interface LexicalAnswer {
  /** Best first. */
  readonly hits: readonly LexicalHit[];
  /** What a snippet should show, for `snippetOf`. */
  readonly words: readonly string[];
  /** Language of the question as given or guessed; null when it says neither. */
  readonly language: Language | null;
  /** Only spellings that stand in pages inside the filter's scope. */
  readonly corrections: readonly Correction[];
  /** Only words and phrases that stand in pages inside the filter's scope. */
  readonly synonyms: readonly SynonymsSaid[];
}

/** Finds blocks by words. Never fails for any text; no terms, no hits. */
export interface LexicalLane {
  search(terms: readonly Term[], filter: LaneFilter, limit: number): Promise<readonly LaneHit[]>;
  /** The same for a whole question: stems, compounds, other spellings; with evidence. Rejects only when `signal` fires. */
  ask(question: LexicalQuestion, filter: LaneFilter, limit: number, signal?: AbortSignal): Promise<LexicalAnswer>;
}
