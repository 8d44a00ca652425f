/** Longer words are kept by their beginning: no rule is found by the rest. */
const LONGEST = 64;

/** Words of a text, compatible forms and case folded (contract 7.1). */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(word => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word));

/** A word as it stands in the index: without marks, as the tables themselves read it. */
export const folded = (word: string): string =>
  PLAIN.test(word) ? word : word.normalize('NFKD').replace(/\p{M}+/gu, '');

const PLAIN = /^[\x21-\x7e]*$/;

const UNITS =
  `mm cm dm m km qm kg g mg t l ml cl h min s ms v kv mv w kw kwh mw a ma hz khz mhz ghz bar mbar pa nm b kb mb gb tb
  eur euro usd chf k c grad prozent stk st ve`.split(/\s+/);
const UNIT = new Set(UNITS);

/**
 * Codes and figures with a unit in one spelling: `RAL 9005`, `RAL-9005` and `RAL9005` are `ral9005`, `20 mm` is `20mm`. In the
 * order in which they stand, each once.
 */
export function codesIn(text: string): string[] {
  const found = new Set<string>();
  const tokens = text.normalize('NFKC').match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? [];
  for (const [at, token] of tokens.entries()) {
    if (isMixed(token)) found.add(token.toLowerCase());
    const [gap, next] = [tokens[at + 1], tokens[at + 2]];
    if (gap === undefined || next === undefined || !/^[ \u00a0\-–./:]$/u.test(gap)) continue;
    const isSeries = /^\p{Lu}{1,6}$/u.test(token) && /^\p{N}{1,12}$/u.test(next);
    const isMeasure = /^\p{N}{1,12}$/u.test(token) && gap !== '.' && UNIT.has(next.toLowerCase());
    if (isSeries || isMeasure) found.add(`${token}${next}`.toLowerCase());
  }
  return [...found].map(folded);
}

const isMixed = (token: string): boolean => /^(?:\p{L}{1,6}\p{N}{1,12}|\p{N}{1,12}\p{L}{1,4})$/u.test(token);
