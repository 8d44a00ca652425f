/** A word from here on is looked for as the beginning of a word as well. */
const MIN_PREFIX = 4;

/** Whether the last word of a phrase may go on. */
export const startsAt = (words: readonly string[]): boolean => (words.at(-1)?.length ?? 0) >= MIN_PREFIX;
