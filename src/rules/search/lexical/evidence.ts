import type { Analysis } from './analysis.ts';
import { startsAt } from './prefix.ts';
import type { LexicalQuery, QueryTerm } from './query.ts';
import { folded } from './words.ts';

/** The words of a rule as they stand in the index. */
export interface IndexedRule {
  /** Fields one after the other. */
  readonly words: string;
  readonly stems: string;
}

export interface Evidence {
  /** What of the question the rules say: its words as it spells them, else parts and corrections; phrases of synonyms. */
  readonly foundVia: readonly string[];
  /** Share of the question's weight, three decimals. */
  readonly coverage: number;
  readonly matchedTerms: number;
}

interface Read {
  readonly line: string;
  readonly stems: ReadonlySet<string>;
}

/**
 * Why a rule answers a question (contract 7.6, 7.6a). `hits`: rules that were found and stand for the head, the head itself
 * among them or not; what they say counts for `foundVia`, the head's words alone for the rest.
 */
export function evidenceOf(
  analysis: Pick<Analysis, 'stemsOf'>,
  { terms, expansions }: LexicalQuery,
  head: IndexedRule,
  hits: readonly IndexedRule[],
): Evidence {
  const [read, ...others] = [head, ...hits].map(readOf);
  const via = new Set<string>();
  for (const text of [read!, ...others]) {
    for (const term of terms) for (const one of sayingOf(analysis, term, text)) via.add(one);
    for (const { others: phrases } of expansions)
      for (const phrase of phrases) if (says(text, phrase)) via.add(phrase.join(' '));
  }
  const matched = terms.filter(
    term =>
      sayingOf(analysis, term, read!).length > 0 ||
      expansions.some(
        ({ words, others: phrases }) => isPartOf(term, words) && phrases.some(phrase => says(read!, phrase)),
      ),
  );
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const share = whole === 0 ? 0 : matched.reduce((sum, { weight }) => sum + weight, 0) / whole;
  return {
    foundVia: [...via].sort(),
    coverage: Math.min(1, Number(share.toFixed(3))),
    matchedTerms: matched.length,
  };
}

const readOf = ({ words, stems }: IndexedRule): Read => ({ line: ` ${words} `, stems: new Set(stems.split(/\s+/)) });

const isPartOf = (term: QueryTerm, words: string): boolean => ` ${words} `.includes(` ${term.words.join(' ')} `);

/** A term by its name when all of it is there, else by the parts and corrections that are. */
function sayingOf({ stemsOf }: Pick<Analysis, 'stemsOf'>, term: QueryTerm, text: Read): string[] {
  if (term.spellings.some(one => says(text, one)) || term.stems.some(stem => text.stems.has(stem))) return [term.name];
  const parts = term.parts.filter(part => says(text, [part]) || stemsOf(part).some(stem => text.stems.has(stem)));
  return [...parts, ...term.corrections.filter(word => says(text, [word]))];
}

/** Whether the words stand there next to each other, the last one as the beginning of a word when it is long enough. */
const says = ({ line }: Read, words: readonly string[]): boolean =>
  line.includes(` ${words.map(folded).join(' ')}${startsAt(words) ? '' : ' '}`);
