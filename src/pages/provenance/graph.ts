import type { Reader } from '../access.ts';
import type { IndexedPage, LinkRow, PageIndex } from '../ports.ts';
import { inView, resolveSlug } from '../visible.ts';

/** A link between two base pages that the caller may both read. */
export interface ProvenanceEdge {
  readonly source: IndexedPage;
  readonly target: IndexedPage;
  /** Header key the link stands under; null for a link of the body (E299). */
  readonly relation: string | null;
}

/**
 * The provenance graph as one caller sees it: typed links between base pages, hidden pages and their links left out
 * (E299, E306, E308). Pages and links are read once.
 */
export interface ProvenanceGraph {
  page(pageId: string): Promise<IndexedPage | undefined>;
  /** Edges out of a page (up) or into it (down), by the page at their other end and relation. */
  edges(page: IndexedPage, direction: 'up' | 'down'): Promise<readonly ProvenanceEdge[]>;
  /** Edges of these relations, all over the graph. */
  ofRelations(relations: readonly string[]): Promise<readonly ProvenanceEdge[]>;
}

const BASE_NOW = { asOf: null, scenario: null };

/** `asOf`: links of pages born later are not there (E305). */
export function provenanceGraph(index: PageIndex, reader: Reader, asOf: string | null): ProvenanceGraph {
  const pages = new Map<string, Promise<IndexedPage | undefined>>();

  async function load(pageId: string): Promise<IndexedPage | undefined> {
    const found = await index.page(pageId);
    return found && found.scenario === null && reader.mayRead(found) ? found : undefined;
  }
  function page(pageId: string): Promise<IndexedPage | undefined> {
    const known = pages.get(pageId) ?? load(pageId);
    pages.set(pageId, known);
    return known;
  }
  async function edgeOf(link: LinkRow): Promise<ProvenanceEdge | undefined> {
    if (link.linkSkill === '') return undefined;
    const source = await page(link.srcPage);
    if (!source || !inView(source, { asOf, scenario: null })) return undefined;
    const target = await resolveSlug(index, reader, { skill: link.linkSkill, id: link.target }, BASE_NOW);
    return target && { source, target, relation: link.srcField?.replace(/^frontmatter\./u, '') ?? null };
  }
  async function edgesOf(links: readonly LinkRow[]): Promise<ProvenanceEdge[]> {
    const edges: ProvenanceEdge[] = [];
    for (const link of links) {
      const edge = await edgeOf(link);
      if (edge) edges.push(edge);
    }
    return edges;
  }

  return {
    page,
    async edges(from, direction) {
      if (direction === 'up') return edgesOf(await index.linksFrom(from.pageId));
      if (from.slug === null) return [];
      const skill = from.pageType === 'skill' ? 'skill' : from.skill;
      const edges = await edgesOf(await index.linksTo(from.slug, [skill]));
      return edges.filter(edge => edge.target.pageId === from.pageId);
    },
    ofRelations: async relations => edgesOf(await index.linksOfFields(relations.map(name => `frontmatter.${name}`))),
  };
}
