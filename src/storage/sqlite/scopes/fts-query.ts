import { folded, startsAt } from '../../../rules/search/lexical/index.ts';

type Phrase = readonly string[];

/** One phrase as FTS5 reads it; whatever is in it is data, but U+0000 would end the query. */
const quoted = (words: Phrase): string =>
  `"${words.map(folded).join(' ').replaceAll('\0', ' ').replaceAll('"', '""')}"`;

/** A query that any of the phrases answers; undefined for none. The last word of each may go on when it is long enough. */
export const anyOf = (phrases: readonly Phrase[]): string | undefined =>
  phrases.length === 0
    ? undefined
    : phrases.map(words => (startsAt(words) ? `${quoted(words)} *` : quoted(words))).join(' OR ');

/** The same for whole words alone. */
export const exactlyAnyOf = (phrases: readonly Phrase[]): string | undefined =>
  phrases.length === 0 ? undefined : phrases.map(quoted).join(' OR ');

/** The same for texts in which the words stand as they are, by their letters: three at least. */
export const containing = (phrases: readonly Phrase[]): string | undefined =>
  exactlyAnyOf(phrases.filter(words => [...words.join(' ')].length >= 3));
