import type { Block } from '../model.ts';
import { changesBetween } from './changes.ts';

/** What became of one block: `before` is null where it came, `after` where it went. */
export interface BlockChange {
  readonly anchor: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The anchor that a changed block had before, where that was another. */
  readonly anchor_before?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Texts that differ in more blocks than this are compared by anchor alone. */
const MOST_EDITS = 1500;

/**
 * Blocks that differ between two texts: those of the new one in its order, then those that are gone. A block is the one of the
 * same anchor; without one, where as many blocks came as went in one place, each is its counterpart (PG113).
 */
export function blockChanges(before: readonly Block[], after: readonly Block[]): BlockChange[] {
  const old = byAnchor(before);
  const now = byAnchor(after);
  const replaced = counterparts(before, after, old, now);
  const taken = new Set([...replaced.values()].map(({ anchor }) => anchor));
  const changes = after.flatMap(({ anchor, content }): BlockChange[] => {
    const same = old.get(anchor);
    if (same)
      return same.content === content ? [] : [{ anchor, change: 'changed', before: same.content, after: content }];
    const was = replaced.get(anchor);
    if (!was) return [{ anchor, change: 'added', before: null, after: content }];
    return [{ anchor, change: 'changed', anchor_before: was.anchor, before: was.content, after: content }];
  });
  const gone = before.filter(({ anchor }) => !now.has(anchor) && !taken.has(anchor));
  return [
    ...changes,
    ...gone.map(({ anchor, content }) => ({ anchor, change: 'removed', before: content, after: null }) as const),
  ];
}

const byAnchor = (blocks: readonly Block[]): ReadonlyMap<string, Block> =>
  new Map(blocks.map(block => [block.anchor, block]));

/** By the anchor of each block that came: the block that stood in its place. An unnamed block is called after its text. */
function counterparts(
  before: readonly Block[],
  after: readonly Block[],
  old: ReadonlyMap<string, Block>,
  now: ReadonlyMap<string, Block>,
): ReadonlyMap<string, Block> {
  const anchors = (blocks: readonly Block[]): string[] => blocks.map(({ anchor }) => anchor);
  const pairs = new Map<string, Block>();
  for (const { fromStart, fromEnd, toStart, toEnd } of changesBetween(anchors(before), anchors(after), MOST_EDITS)) {
    const went = before.slice(fromStart, fromEnd).filter(({ anchor }) => !now.has(anchor));
    const came = after.slice(toStart, toEnd).filter(({ anchor }) => !old.has(anchor));
    if (went.length === came.length) for (const [at, { anchor }] of came.entries()) pairs.set(anchor, went[at]!);
  }
  return pairs;
}
