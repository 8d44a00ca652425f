/** A word from here on is looked for as the beginning of a word as well. */
const MIN_PREFIX = 4;

type Phrase = readonly string[];

/** One phrase as FTS5 reads it; whatever is in it is data, but U+0000 would end the query. The last word may go on. */
function literal(words: Phrase): string {
  const quoted = `"${words.join(' ').replaceAll('\0', ' ').replaceAll('"', '""')}"`;
  return (words.at(-1)?.length ?? 0) >= MIN_PREFIX ? `${quoted} *` : quoted;
}

/** A query that any of the phrases answers; undefined for none. */
export const anyOf = (phrases: readonly Phrase[]): string | undefined =>
  phrases.length === 0 ? undefined : phrases.map(literal).join(' OR ');
