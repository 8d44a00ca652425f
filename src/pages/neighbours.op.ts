import { defineOp } from '../kernel/op.ts';
import { inOrder, type Edge } from './edge-order.ts';
import { edgesOf } from './edges.ts';
import type { PastDeps } from './history/past.ts';
import { viewer, type Viewer } from './history/viewer.ts';
import type { IndexedPage, LinkRow, PageIndex } from './ports.ts';
import { NeighboursInput, NeighboursOutput } from './schema.ts';
import { checkedPageId, timeAndScenario } from './visible.ts';

const TOOL = 'neighbours';
const MOST = 10_000;

export const neighbours = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'List the links into and out of one page.',
  input: NeighboursInput,
  output: NeighboursOutput,
  publishesOutput: false,
  async run(deps: PastDeps, ctx, input) {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    const seeing = await viewer(deps, ctx.principal, timeAndScenario(TOOL, input));
    const page = await seeing.page(pageId);
    if (!page) return { edges: [] };
    const direction = input.direction ?? 'both';
    const wanted = skillFilter(input.link_skill, input.link_skill_in);
    const edges = [
      ...(direction === 'in' ? [] : await outgoing(deps.index, seeing, page, wanted)),
      ...(direction === 'out' ? [] : await incoming(deps.index, seeing, page, wanted)),
    ];
    if ((input.limit ?? 0) > MOST) ctx.note('limit', MOST);
    const limit = Math.min(input.limit ?? MOST, MOST);
    return { edges: inOrder(TOOL, edges, input.order_by).slice(0, limit).map(edgeRow) };
  },
});

type Wanted = (linkSkill: string) => boolean;

function skillFilter(one: string | undefined, several: readonly string[] | undefined): Wanted {
  const any = several === undefined ? undefined : new Set(several);
  return skill => (one === undefined || skill === one) && (any === undefined || any.has(skill));
}

/** The edges of a page as it is seen. */
async function linksOf(index: PageIndex, seeing: Viewer, page: IndexedPage): Promise<readonly LinkRow[]> {
  const past = seeing.view.asOf === null ? null : await seeing.pastLinks(page);
  if (past === null) return index.linksFrom(page.pageId);
  return edgesOf(past).map(edge => ({ srcPage: page.pageId, ...edge }));
}

const targetOf = (link: LinkRow) => ({ skill: link.linkSkill === '' ? null : link.linkSkill, id: link.target });

/** A target that exists but is hidden takes its edge along; one that does not exist stays as text (E263, E266). */
async function outgoing(index: PageIndex, seeing: Viewer, page: IndexedPage, wanted: Wanted): Promise<Edge[]> {
  const edges: Edge[] = [];
  const links = (await linksOf(index, seeing, page)).filter(({ linkSkill }) => wanted(linkSkill));
  await seeing.expect({ pageIds: [], slugs: links.map(({ target }) => target) });
  for (const link of links) {
    const seen = await seeing.target(targetOf(link));
    if (seen) edges.push({ link, dstPage: seen.pageId, exists: true, other: seen });
    else if (!(await seeing.exists(targetOf(link)))) {
      edges.push({ link, dstPage: link.target, exists: false, other: null });
    }
  }
  return edges;
}

/**
 * Typed links of this page's skill and bare links, as far as they resolve to this very page (E259; deviations). Under a time
 * cut those that pages held then, whatever they say now.
 */
async function incoming(index: PageIndex, seeing: Viewer, page: IndexedPage, wanted: Wanted): Promise<Edge[]> {
  if (page.slug === null) return [];
  const { slug, pageId } = page;
  const meant: string[] = [];
  for (const linkSkill of [page.pageType === 'skill' ? 'skill' : page.skill, '']) {
    const found = wanted(linkSkill)
      ? await seeing.target({ skill: linkSkill === '' ? null : linkSkill, id: slug })
      : null;
    if (found?.pageId === pageId) meant.push(linkSkill);
  }
  const found = meant.length > 0 ? await index.linksTo(slug, meant) : [];
  const edges: Edge[] = [];
  const { asOf } = seeing.view;
  const once = meant.length > 0 && asOf !== null ? await index.once.linked(slug, meant, asOf) : [];
  const sources = bySource(found, once);
  await seeing.expect({ pageIds: [...sources.keys()], slugs: [] });
  for (const [srcPage, links] of sources) {
    const source = await seeing.page(srcPage);
    // Under an overlay the links of a page that has a twin are the twin's.
    if (source?.pageId !== srcPage) continue;
    const past = asOf === null ? null : await seeing.pastLinks(source);
    const then = past && edgesOf(past).filter(edge => edge.target === slug && meant.includes(edge.linkSkill));
    for (const link of then ? then.map(edge => ({ srcPage, ...edge })) : links) {
      edges.push({ link, dstPage: pageId, exists: true, other: source });
    }
  }
  return edges;
}

/** By page id, as the links come; `once`: pages that held such links. */
function bySource(links: readonly LinkRow[], once: readonly string[]): Map<string, LinkRow[]> {
  const sources = new Map<string, LinkRow[]>();
  for (const link of links) {
    const same = sources.get(link.srcPage);
    if (same) same.push(link);
    else sources.set(link.srcPage, [link]);
  }
  if (once.length === 0) return sources;
  for (const pageId of once) if (!sources.has(pageId)) sources.set(pageId, []);
  return new Map([...sources].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function edgeRow({ link, dstPage, exists, other }: Edge) {
  return {
    src_page: link.srcPage,
    src_anchor: link.srcAnchor,
    src_field: link.srcField,
    dst_page: dstPage,
    dst_exists: exists,
    dst_anchor: link.dstAnchor,
    link_skill: link.linkSkill,
    link_version: link.linkVersion,
    target_frontmatter_excerpt: other ? other.frontmatter : null,
  };
}
