import { Failure } from '../kernel/failure.ts';
import type { IndexedPage, LinkRow } from './ports.ts';

export interface Edge {
  readonly link: LinkRow;
  /** Page id of the target, or the link's text when there is no such page. */
  readonly dstPage: string;
  readonly exists: boolean;
  /** The page at the other end. */
  readonly other: IndexedPage | null;
}

/** Edges by a header key of the page at the other end, those without it last; as they come without an order. */
export function inOrder(tool: string, edges: readonly Edge[], orderBy: string | undefined): readonly Edge[] {
  if (orderBy === undefined || orderBy.trim() === '') return edges;
  const order = /^(\S+)(?:\s+(asc|desc))?$/iu.exec(orderBy.trim());
  if (!order) {
    throw new Failure('invalid_params', `${tool}: order_by: write "<header key> asc" or "<header key> desc"`, {
      argument: 'order_by',
    });
  }
  const sign = order[2]?.toLowerCase() === 'desc' ? -1 : 1;
  const keyed = edges.map(edge => ({ edge, value: own(edge.other?.frontmatter ?? {}, order[1]!) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sign * compare(a.value, b.value);
  });
  return keyed.map(({ edge }) => edge);
}

const own = (header: IndexedPage['frontmatter'], key: string): unknown =>
  Object.hasOwn(header, key) ? (header[key] ?? null) : null;

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : Number(x > y);
}
