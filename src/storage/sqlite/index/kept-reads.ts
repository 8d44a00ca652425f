/** Answers of point reads, kept until the index changes: most pages are read far more often than any is written. */
export interface KeptReads<T> {
  of(key: string, read: () => T): T;
  /** The same for many, those that are missing read in one go; what `read` does not answer is `absent`. */
  all(keys: readonly string[], absent: T, read: (missing: readonly string[]) => ReadonlyMap<string, T>): Map<string, T>;
}

const MOST = 4096;

/** `changes` grows with every change of the rows that are read. */
export function keptReads<T>(changes: () => number): KeptReads<T> {
  const kept = new Map<string, T>();
  let at = changes();
  function forget(): void {
    if (at === changes() && kept.size < MOST) return;
    kept.clear();
    at = changes();
  }
  return {
    all(keys, absent, read) {
      forget();
      const missing = keys.filter(key => !kept.has(key));
      const made = missing.length > 0 ? read(missing) : new Map<string, T>();
      for (const key of missing) kept.set(key, made.get(key) ?? absent);
      return new Map(keys.map(key => [key, kept.get(key)!]));
    },
    of(key, read) {
      forget();
      const found = kept.get(key);
      if (found !== undefined) return found;
      const made = read();
      kept.set(key, made);
      return made;
    },
  };
}
