import { editsTo, unitsOf } from '../../../search/index.ts';
import type { Db } from '../database.ts';

export interface NearTerm {
  readonly term: string;
  readonly distance: number;
}

/** Keys of the index, held so that all of them can be compared with a word. */
export interface Vocabulary {
  /**
   * Terms within `most` edits of one of the spellings, within one where the first letter differs; nearest first, then in
   * alphabetical order.
   */
  near(spellings: readonly string[], most: number): NearTerm[];
  /** Longer terms that begin or end with a text. */
  around(text: string): string[];
  /** Codes, terms with a digit in them, that hold a text; the oldest first. */
  holding(text: string, most: number): string[];
  /** After a transaction was rolled back. */
  reset(): void;
}

const SHORTEST = 3;
const LONGEST = 40;
const WORD = /^\p{L}+$/u;
const DIGIT = /\p{N}/u;
/** Stands between codes, and in none. */
const END = '\n';
const ENOUGH = 300_000;

/** Terms of one length: their letters one after the other, and for each the set of its letters. */
interface SameLength {
  letters: Uint16Array;
  sets: Uint32Array;
  size: number;
}

export function vocabulary(db: Db): Vocabulary {
  const newer = db
    .prepare<[number], [number, string]>('SELECT term_id, term FROM term WHERE term_id > ? ORDER BY term_id')
    .raw();
  let last = 0;
  let lists: SameLength[] = [];
  /** Some hundred thousand characters each: a code that comes is put to the last, and no more is copied for it. */
  let codes: string[] = [];

  function catchUp(): void {
    const more: string[] = [];
    for (const [id, term] of newer.iterate(last)) {
      last = id;
      if (DIGIT.test(term)) more.push(term);
      else if (term.length >= SHORTEST && term.length <= LONGEST && WORD.test(term)) add(term);
    }
    for (const code of more) {
      if ((codes.at(-1)?.length ?? ENOUGH) >= ENOUGH) codes.push(END);
      codes[codes.length - 1] += code + END;
    }
  }

  function add(term: string): void {
    const length = term.length;
    const list = (lists[length] ??= { letters: new Uint16Array(length * 16), sets: new Uint32Array(16), size: 0 });
    if (list.size === list.sets.length) {
      const [letters, sets] = [new Uint16Array(list.letters.length * 2), new Uint32Array(list.sets.length * 2)];
      letters.set(list.letters);
      sets.set(list.sets);
      [list.letters, list.sets] = [letters, sets];
    }
    for (let at = 0; at < length; at++) list.letters[list.size * length + at] = term.charCodeAt(at);
    list.sets[list.size++] = lettersOf(term);
  }

  const termAt = (list: SameLength, length: number, at: number): string =>
    String.fromCharCode(...list.letters.subarray(at * length, (at + 1) * length));

  return {
    near(spellings, most) {
      catchUp();
      const found = new Map<string, number>();
      for (const word of spellings) {
        const wanted = lettersOf(word);
        const units = unitsOf(word);
        for (let length = Math.max(SHORTEST, word.length - most); length <= word.length + most; length++) {
          const list = lists[length];
          if (!list) continue;
          for (let at = 0; at < list.size; at++) {
            const allowed = list.letters[at * length] === units[0] ? most : 1;
            // An edit changes the set of letters by two at the most.
            if (bitsOf(list.sets[at]! ^ wanted) > 2 * allowed) continue;
            const distance = editsTo(units, list.letters, at * length, length, allowed);
            if (distance > allowed) continue;
            const term = termAt(list, length, at);
            if (distance < (found.get(term) ?? Infinity)) found.set(term, distance);
          }
        }
      }
      return [...found]
        .map(([term, distance]) => ({ term, distance }))
        .sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1));
    },
    around(text) {
      catchUp();
      const found: string[] = [];
      const size = text.length;
      const units = Array.from({ length: size }, (_, at) => text.charCodeAt(at));
      const wanted = lettersOf(text);
      for (let length = size + SHORTEST; length < lists.length; length++) {
        const list = lists[length];
        if (!list) continue;
        for (let at = 0; at < list.size; at++) {
          if ((list.sets[at]! & wanted) >>> 0 !== wanted) continue;
          const start = at * length;
          if (holds(list.letters, start, units) || holds(list.letters, start + length - size, units)) {
            found.push(termAt(list, length, at));
          }
        }
      }
      return found.sort();
    },
    holding(text, most) {
      catchUp();
      const found: string[] = [];
      for (const some of codes) {
        for (let at = some.indexOf(text); at >= 0 && found.length < most; at = some.indexOf(text, at)) {
          const end = some.indexOf(END, at);
          found.push(some.slice(some.lastIndexOf(END, at) + 1, end));
          at = end;
        }
      }
      return found;
    },
    reset() {
      codes = [];
      last = 0;
      lists = [];
    },
  };
}

function holds(letters: Uint16Array, from: number, codes: readonly number[]): boolean {
  for (let at = 0; at < codes.length; at++) if (letters[from + at] !== codes[at]) return false;
  return true;
}

/** One bit a letter, others share the bits that are left. */
function lettersOf(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    set |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return set >>> 0;
}

function bitsOf(value: number): number {
  value -= (value >>> 1) & 0x5555_5555;
  value = (value & 0x3333_3333) + ((value >>> 2) & 0x3333_3333);
  return (((value + (value >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
