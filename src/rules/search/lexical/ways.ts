import type { RuleVersion } from '../../model.ts';
import type { Phrases } from '../ports.ts';
import type { Analysis } from './analysis.ts';
import type { LexicalQuery } from './query.ts';
import type { SubQuery } from './settings.ts';
import { wordsOf } from './words.ts';

/** What each way of looking for a question looks for (contract 7.3). */
export function waysOf({ terms, expansions }: LexicalQuery, analysis: Analysis): Partial<Record<SubQuery, Phrases>> {
  const { features } = analysis.settings;
  const stems = terms.flatMap(term => [...term.stems, ...term.parts.flatMap(part => analysis.stemsOf(part))]);
  return {
    word: terms.flatMap(term => term.spellings),
    syn: expansions.flatMap(({ others }) => others),
    fuzzy: terms.flatMap(term => term.corrections.map(word => [word])),
    ...(features.stem || features.decompound ? { stem: singly(stems) } : {}),
    ...(features.trigram ? { tri: terms.map(term => term.words) } : {}),
  };
}

/** Stems of the keywords of rules: what the best answers say they are about. */
export const feedbackStems = (best: readonly RuleVersion[], analysis: Analysis): Phrases =>
  singly(best.flatMap(({ keywords }) => keywords.flatMap(wordsOf).flatMap(word => analysis.stemsOf(word))));

const singly = (words: readonly string[]): string[][] => [...new Set(words)].map(word => [word]);
