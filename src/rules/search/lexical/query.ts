/** One thing that a question asks for. */
export interface QueryTerm {
  /** As the caller gave it, or the word of the text in lower case. */
  readonly name: string;
  /** Its words; more than one are a phrase. */
  readonly words: readonly string[];
  /** Itself and its other spellings, each a run of words that stand next to each other. */
  readonly spellings: readonly (readonly string[])[];
  /** Stems of a single word; none of a phrase. */
  readonly stems: readonly string[];
  /** Parts of a compound. */
  readonly parts: readonly string[];
  /** What the scope's rules say instead of a word that none of them has. */
  readonly corrections: readonly string[];
  /** Rarity in the scope; a phrase weighs as its rarest word. */
  readonly weight: number;
}

/** What else a question may say with other words. `words`: those of the question; `others`: phrases of the same meaning. */
export interface Expansion {
  readonly words: string;
  readonly others: readonly (readonly string[])[];
}

/** A question as it is asked of one scope. */
export interface LexicalQuery {
  readonly terms: readonly QueryTerm[];
  readonly expansions: readonly Expansion[];
}

/** Every form under which a term is looked for, itself first (contract 7.2). */
const formsOf = ({ words, spellings, parts, corrections }: QueryTerm): string[] => [
  ...new Set([words.join(' '), ...spellings.map(one => one.join(' ')), ...parts, ...corrections]),
];

/** What `query.variants` says: the forms of each term, and what synonyms add under `~<words>` (contract 7.2). */
export function variantsOf({ terms, expansions }: LexicalQuery): [name: string, forms: string[]][] {
  return [
    ...terms.map((term): [string, string[]] => [term.name, formsOf(term)]),
    ...expansions.map(({ words, others }): [string, string[]] => [`~${words}`, others.map(one => one.join(' '))]),
  ];
}
