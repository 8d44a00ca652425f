import type { Condition } from '../index/filter-sql.ts';

/** Longer values, or more and longer ones in all, are left to SQL. */
const LONGEST_VALUE = 256;
const MOST_VALUES = 50_000;
const MOST_CHARACTERS = 2 ** 21;
/** Conditions whose answers are kept. */
const MOST_KEPT = 64;
const ABSENT = 0;

/** Which of the headers, by place, pass a condition on `p.frontmatter`. */
export type TestHeaders = (headers: readonly string[], condition: Condition) => readonly number[];

/** The value of one header key on every page: 4 bytes a page, and each value once. */
export interface HeaderColumn {
  /** `value` is JSON; null: the page has none, or is gone. */
  set(page: number, value: string | null): void;
  /** Every page has been set. */
  complete(): void;
  /** So that `passes` may be asked. */
  isComplete(): boolean;
  isTooLarge(): boolean;
  /** Whether a page passes, each value being tested once. `name` tells conditions apart. */
  passes(name: string, condition: Condition): (page: number) => boolean;
}

export function headerColumn(key: string, test: TestHeaders): HeaderColumn {
  const numbers = new Map<string, number>();
  const headers = ['{}'];
  const kept = new Map<string, Uint8Array>();
  let valueOf = new Uint32Array(1024);
  let characters = 0;
  let isComplete = false;
  let tooLarge = false;

  function numberOf(value: string): number {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    characters += value.length;
    if (value.length > LONGEST_VALUE || headers.length > MOST_VALUES || characters > MOST_CHARACTERS) {
      tooLarge = true;
      numbers.clear();
      headers.length = 1;
      kept.clear();
      return ABSENT;
    }
    numbers.set(value, headers.length);
    return headers.push(`{${JSON.stringify(key)}:${value}}`) - 1;
  }

  /** 1 for each value that passes; values that came since it was asked are added. */
  function answers(name: string, condition: Condition): Uint8Array {
    let passing = kept.get(name) ?? new Uint8Array(0);
    const tested = passing.length;
    if (tested < headers.length) {
      const more = new Uint8Array(headers.length);
      more.set(passing);
      for (const at of test(headers.slice(tested), condition)) more[tested + at] = 1;
      passing = more;
    }
    kept.delete(name);
    kept.set(name, passing);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
    return passing;
  }

  return {
    set(page, value) {
      if (tooLarge) return;
      if (page >= valueOf.length) {
        const larger = new Uint32Array(Math.ceil(page * 1.5));
        larger.set(valueOf);
        valueOf = larger;
      }
      valueOf[page] = value === null ? ABSENT : numberOf(value);
    },
    complete() {
      isComplete = true;
    },
    isComplete: () => isComplete && !tooLarge,
    isTooLarge: () => tooLarge,
    passes(name, condition) {
      const passing = answers(name, condition);
      const values = valueOf;
      return page => passing[values[page] ?? ABSENT] === 1;
    },
  };
}
