import type { Block } from '../model.ts';

/**
 * The block that an anchor of a link means: its exact anchor (a leading `^` is dropped), `blk-0` for the first block,
 * or a heading's text or slug, with outer headings before it as in `#Chapter#Section`. Undefined when there is none.
 */
export function findAnchor(blocks: readonly Block[], anchor: string): Block | undefined {
  const name = anchor.startsWith('^') ? anchor.slice(1) : anchor;
  const exact = blocks.find(block => block.anchor === name);
  if (exact !== undefined) return exact;
  if (name === 'blk-0') return blocks[0];
  const path = anchor.split('#').map(fold);
  const last = path.pop()!;
  if (last === '') return undefined;
  return blocks.find(
    ({ title, headings }) =>
      title !== undefined && matches(title, last) && path.every(outer => headings.some(above => matches(above, outer))),
  );
}

function matches(title: string, wanted: string): boolean {
  const folded = fold(title);
  return folded === wanted || slug(folded) === slug(wanted);
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Letters, digits, `_` and `-`; spaces become `-`, everything else falls away. */
function slug(folded: string): string {
  return folded.replace(/ /g, '-').replace(/[^\p{L}\p{M}\p{N}_-]/gu, '');
}
