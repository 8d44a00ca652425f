import type { IndexedPage } from '../ports.ts';
import type { ProvenanceGraph } from './graph.ts';

export interface Walk {
  readonly direction: 'up' | 'down';
  /** Relations to follow; none: every edge (E304). */
  readonly relations: readonly string[];
  readonly maxHops: number;
}

export interface Hop {
  readonly page: IndexedPage;
  readonly relation: string | null;
  readonly depth: number;
  /** The page it was reached from. */
  readonly from: IndexedPage;
}

/** Pages seen by one walk at the most: what is left out then is said. */
export const MOST_PAGES = 10_000;

/**
 * Breadth first from `start`: each page once, at its least depth, by depth and then page id; the start is left out (E300,
 * E307). `until` ends the walk when that page is reached.
 */
export async function walk(
  graph: ProvenanceGraph,
  start: IndexedPage,
  { direction, relations, maxHops }: Walk,
  until?: string,
): Promise<{ readonly hops: readonly Hop[]; readonly cut: boolean }> {
  const seen = new Set([start.pageId]);
  const hops: Hop[] = [];
  let frontier = [start];
  for (let depth = 1; depth <= maxHops && frontier.length > 0; depth++) {
    const reached = new Map<string, Hop>();
    for (const from of frontier) {
      for (const edge of await graph.edges(from, direction)) {
        const page = direction === 'up' ? edge.target : edge.source;
        if (seen.has(page.pageId) || reached.has(page.pageId)) continue;
        if (relations.length > 0 && (edge.relation === null || !relations.includes(edge.relation))) continue;
        reached.set(page.pageId, { page, relation: edge.relation, depth, from });
      }
    }
    const next = [...reached.values()].sort((a, b) => (a.page.pageId < b.page.pageId ? -1 : 1));
    for (const hop of next) {
      if (hops.length === MOST_PAGES) return { hops, cut: true };
      seen.add(hop.page.pageId);
      hops.push(hop);
    }
    if (until !== undefined && seen.has(until)) break;
    frontier = next.map(hop => hop.page);
  }
  return { hops, cut: false };
}

/** The way from the start of a walk to a page it reached, both included; empty when it was not reached. */
export function pathTo(hops: readonly Hop[], pageId: string): string[] {
  const byPage = new Map(hops.map(hop => [hop.page.pageId, hop]));
  const path: string[] = [];
  for (let hop = byPage.get(pageId); hop; hop = byPage.get(hop.from.pageId)) {
    path.unshift(hop.page.pageId);
    if (hop.depth === 1) path.unshift(hop.from.pageId);
  }
  return path;
}
