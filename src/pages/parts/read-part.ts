import { Failure } from '../../kernel/failure.ts';
import { sha256 } from '../../kernel/hash.ts';
import { blockSpans, type BlockSpan } from '../parse/block-spans.ts';
import { sectionOf, spanAt, type Range } from './ranges.ts';

export interface PartWanted {
  readonly anchor?: string | undefined;
  readonly section?: boolean | undefined;
  readonly max_chars?: number | undefined;
  readonly next?: string | undefined;
}

export interface Part {
  readonly body: string;
  readonly blocks: readonly { readonly anchor: string; readonly content: string; readonly sha256: string }[];
  /** Pass it back for what follows; null at the end of what was asked for. */
  readonly next: string | null;
  readonly part_sha256: string;
}

export const wantsPart = ({ anchor, section, max_chars, next }: PartWanted): boolean =>
  anchor !== undefined || section === true || max_chars !== undefined || next !== undefined;

/**
 * A part of a body: one block, one section, or the next `max_chars` of either or of everything. `version` is that of the body:
 * a `next` of another version is `invalid_params`, as is an anchor that is not there.
 */
export function readPart(body: string, version: number, wanted: PartWanted): Part {
  const spans = blockSpans(body);
  const { from, to } = wanted.next === undefined ? asked(body, spans, wanted) : continued(body, version, wanted.next);
  const cut = cutAt(body, spans, { from, to }, wanted.max_chars ?? Infinity);
  const inside = spans.filter(span => span.start < cut && span.end > from);
  return {
    body: body.slice(from, cut),
    blocks: inside.map(({ block, start, end }) => {
      const whole = start >= from && end <= cut;
      const content = whole ? block.content : body.slice(Math.max(start, from), Math.min(end, cut));
      return { anchor: block.anchor, content, sha256: sha256(block.content) };
    }),
    next: cut < to ? `v${version}.${cut}.${to}` : null,
    part_sha256: sha256(body.slice(from, cut)),
  };
}

function asked(body: string, spans: readonly BlockSpan[], { anchor, section }: PartWanted): Range {
  if (anchor === undefined) return { from: 0, to: body.length };
  const span = spanAt(spans, anchor);
  if (!span) throw new Failure('invalid_params', 'expand: anchor: the page has no such block', { argument: 'anchor' });
  return section === true ? sectionOf(spans, span) : { from: span.start, to: span.outerEnd };
}

function continued(body: string, version: number, next: string): Range {
  const [, of, from, to] = /^v(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(next) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (Number(of) === version && range.from < range.to && range.to <= body.length) return range;
  throw new Failure('invalid_params', 'expand: next: not of this version of the page, begin again', {
    argument: 'next',
  });
}

/** Between two blocks where that can be, else inside one, but never inside a character. */
function cutAt(body: string, spans: readonly BlockSpan[], { from, to }: Range, maxChars: number): number {
  if (to - from <= maxChars) return to;
  const limit = from + maxChars;
  const between = spans.findLast(({ start }) => start > from && start <= limit)?.start;
  if (between !== undefined) return between;
  const unit = body.charCodeAt(limit - 1);
  const inside = unit >= 0xd800 && unit < 0xdc00;
  // A character of two units goes into a part of one: half of it could be read by nobody.
  return inside ? (maxChars > 1 ? limit - 1 : Math.min(limit + 1, to)) : limit;
}
