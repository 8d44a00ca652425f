import { changesBetween, linesOf } from '../diff/changes.ts';

/** Edits that replace more than this are taken as a whole. */
const MOST_LINES = 1500;
const MOST_CHARACTERS = 300;

/** At `at` of the base, counted in UTF-16 units, `remove` units make way for `insert`. */
interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Joins two texts that were both made from `base`: everything that either changed is in the result, overlapping changes
 * side by side, and once what both changed alike: else a write sent again for want of an answer would double its text. The
 * same three texts always give the same result (E378, E380).
 */
export async function mergeTexts(base: string, head: string, incoming: string): Promise<string> {
  // Loaded with the first merge: most servers start and stop without one.
  const { LoroDoc } = await import('loro-crdt');
  const origin = new LoroDoc();
  origin.setPeerId('0');
  origin.getText('page').insert(0, base);
  const shared = origin.export({ mode: 'snapshot' });
  const branch = (peer: '1' | '2', edits: readonly Edit[]) => {
    const doc = LoroDoc.fromSnapshot(shared);
    doc.setPeerId(peer);
    const page = doc.getText('page');
    for (const { at, remove, insert } of edits.toReversed()) {
      page.delete(at, remove);
      page.insert(at, insert);
    }
    doc.commit();
    return doc;
  };
  const before = editsOf(base, head);
  const known = new Set(before.map(spelled));
  const merged = branch('1', before);
  const added = editsOf(base, incoming).filter(edit => !known.has(spelled(edit)));
  merged.import(branch('2', added).export({ mode: 'update' }));
  return merged.getText('page').toString();
}

function spelled({ at, remove, insert }: Edit): string {
  return `${at} ${remove} ${insert}`;
}

/** What makes `base` the other text: by line, and where a few lines changed by character. */
function editsOf(base: string, text: string): Edit[] {
  const [from, to] = [linesOf(base), linesOf(text)];
  const starts = offsets(from);
  return changesBetween(from, to, MOST_LINES).flatMap(({ fromStart, fromEnd, toStart, toEnd }) => {
    const gone = from.slice(fromStart, fromEnd).join('');
    return within(starts[fromStart]!, gone, to.slice(toStart, toEnd).join(''));
  });
}

function within(at: number, gone: string, come: string): Edit[] {
  const [from, to] = [[...gone], [...come]];
  const starts = offsets(from);
  return changesBetween(from, to, MOST_CHARACTERS).map(({ fromStart, fromEnd, toStart, toEnd }) => ({
    at: at + starts[fromStart]!,
    remove: starts[fromEnd]! - starts[fromStart]!,
    insert: to.slice(toStart, toEnd).join(''),
  }));
}

/** Where each piece begins, and at the end where the last one ends. */
function offsets(pieces: readonly string[]): number[] {
  const starts = [0];
  for (const piece of pieces) starts.push(starts.at(-1)! + piece.length);
  return starts;
}
