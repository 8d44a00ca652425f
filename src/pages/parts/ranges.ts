import { findAnchor } from '../parse/find-anchor.ts';
import type { BlockSpan } from '../parse/block-spans.ts';

/** A stretch of a body, in UTF-16 units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The block that an anchor means, undefined when there is none. */
export function spanAt(spans: readonly BlockSpan[], anchor: string): BlockSpan | undefined {
  const found = findAnchor(
    spans.map(({ block }) => block),
    anchor,
  );
  return spans.find(({ block }) => block === found);
}

/**
 * The section of a block: a heading with everything below it up to the next heading that is not deeper; for any other block
 * that of the heading above it, or what stands before the first heading.
 */
export function sectionOf(spans: readonly BlockSpan[], span: BlockSpan): Range {
  const at = spans.indexOf(span);
  const first = span.level > 0 ? at : spans.slice(0, at).findLastIndex(({ level }) => level > 0);
  const level = spans[first]?.level ?? 6;
  const rest = spans.slice(first + 1);
  const next = rest.findIndex(other => other.level > 0 && other.level <= level);
  const last = next === -1 ? spans.at(-1)! : spans[first + next]!;
  return { from: spans[Math.max(first, 0)]!.start, to: last.outerEnd };
}
