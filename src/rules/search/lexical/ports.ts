/** The words that a scope's rules are found by. */
export interface VocabularyOfScope {
  /** Rules that can be found. */
  readonly size: number;
  /** In how many rules each stands; words that stand in none are left out. */
  frequencies(table: 'word' | 'stem', words: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Words that begin so, with the number of rules they stand in. */
  beginning(letters: string): Promise<readonly { readonly word: string; readonly rules: number }[]>;
}
