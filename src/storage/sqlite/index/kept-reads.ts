/** Answers of point reads, kept until the index changes: most pages are read far more often than any is written. */
export interface KeptReads<T> {
  of(key: string, read: () => T): T;
}

const MOST = 4096;

/** `changes` grows with every change of the rows that are read. */
export function keptReads<T>(changes: () => number): KeptReads<T> {
  const kept = new Map<string, T>();
  let at = changes();
  return {
    of(key, read) {
      if (at !== changes() || kept.size >= MOST) {
        kept.clear();
        at = changes();
      }
      const found = kept.get(key);
      if (found !== undefined) return found;
      const made = read();
      kept.set(key, made);
      return made;
    },
  };
}
