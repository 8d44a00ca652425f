const WIDEST = 80;
const rows = [new Float64Array(WIDEST), new Float64Array(WIDEST), new Float64Array(WIDEST)] as const;

/** Of an edit that says nothing; the others are those that people make more often than chance. */
const ANY = 1;
const SWAPPED = 0.7;
const DOUBLED = 0.6;
const ALIKE = 0.75;
const SILENT = 0.8;
const NEIGHBOUR = 0.85;

/** Keys next to each other, on German and English keyboards alike where they agree and on either where not. */
const KEYBOARD = [
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
];
/** Letters that sound alike in German or English, or in one of them are written for each other. */
const SOUNDS = 'ae ai ei eo ou iy ie dt bp gk ck cs cz ck sz fv vw mn ij xs qk';
const SILENT_LETTERS = 'eh';

const unitOf = (letter: string): number => letter.charCodeAt(0) - 97;
const LETTERS = 26;
const others = costsOfOthers();
const silent = new Set([...SILENT_LETTERS].map(unitOf));

function costsOfOthers(): Float64Array {
  const costs = new Float64Array(LETTERS * LETTERS).fill(ANY);
  const set = (a: string, b: string, cost: number): void => {
    for (const at of [unitOf(a) * LETTERS + unitOf(b), unitOf(b) * LETTERS + unitOf(a)]) {
      costs[at] = Math.min(costs[at]!, cost);
    }
  };
  for (const board of KEYBOARD) {
    for (const [y, row] of board.entries()) {
      for (const [x, letter] of [...row].entries()) {
        for (const next of [row[x + 1], board[y + 1]?.[x], board[y + 1]?.[x - 1]])
          if (next) set(letter, next, NEIGHBOUR);
      }
    }
  }
  for (const [a, b] of SOUNDS.split(' ').map(pair => [...pair])) set(a!, b!, ALIKE);
  return costs;
}

/**
 * How unlikely it is that one folded word was typed for another, in edits: a letter more, less, other, or two swapped counts one, and
 * less where people often make it. Infinite for words of 80 letters and more.
 */
export function slipsBetween(a: string, b: string): number {
  if (a.length >= WIDEST || b.length >= WIDEST) return Infinity;
  let [before, last, row] = rows;
  last[0] = 0;
  for (let j = 1; j <= b.length; j++) last[j] = last[j - 1]! + lone(b, j - 1);
  for (let i = 1; i <= a.length; i++) {
    const here = a.charCodeAt(i - 1);
    const less = lone(a, i - 1);
    row[0] = last[0]! + less;
    for (let j = 1; j <= b.length; j++) {
      const there = b.charCodeAt(j - 1);
      let cost = Math.min(last[j - 1]! + other(here, there), last[j]! + less, row[j - 1]! + lone(b, j - 1));
      if (i > 1 && j > 1 && here === b.charCodeAt(j - 2) && there === a.charCodeAt(i - 2)) {
        cost = Math.min(cost, before[j - 2]! + SWAPPED);
      }
      row[j] = cost;
    }
    [before, last, row] = [last, row, before];
  }
  return last[b.length]!;
}

function other(a: number, b: number): number {
  if (a === b) return 0;
  const [x, y] = [a - 97, b - 97];
  return x >= 0 && x < LETTERS && y >= 0 && y < LETTERS ? others[x * LETTERS + y]! : ANY;
}

/** Of a letter that only one of the words has. */
function lone(word: string, at: number): number {
  const letter = word.charCodeAt(at);
  if (letter === word.charCodeAt(at - 1) || letter === word.charCodeAt(at + 1)) return DOUBLED;
  return silent.has(letter - 97) ? SILENT : ANY;
}
