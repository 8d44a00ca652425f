import { defineOp } from '../kernel/op.ts';
import type { Reader } from './access.ts';
import type { PagesDeps } from './deps.ts';
import { inOrder, type Edge } from './edge-order.ts';
import type { IndexedPage, PageIndex, TimeAndScenario } from './ports.ts';
import { NeighboursInput, NeighboursOutput } from './schema.ts';
import { checkedPageId, inView, resolveSlug, timeAndScenario } from './visible.ts';

const TOOL = 'neighbours';
const MOST = 10_000;

interface View {
  readonly index: PageIndex;
  readonly reader: Reader;
  readonly view: TimeAndScenario;
}

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
  async run({ index, access }: Pick<PagesDeps, 'index' | 'access'>, ctx, input) {
    const at = timeAndScenario(TOOL, input);
    const page = await index.page(checkedPageId(TOOL, 'page_id', input.page_id));
    const reader = await access.reader(ctx.principal);
    if (!page || !inView(page, { ...at, asOf: null }) || !reader.mayRead(page)) return { edges: [] };
    const view = { index, reader, view: at };
    const direction = input.direction ?? 'both';
    const wanted = skillFilter(input.link_skill, input.link_skill_in);
    const edges = [
      ...(direction === 'in' ? [] : await outgoing(view, page, wanted)),
      ...(direction === 'out' ? [] : await incoming(view, page, wanted)),
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

/** A target that exists but is hidden takes its edge along; one that does not exist stays as text (E263, E266). */
async function outgoing({ index, reader, view }: View, page: IndexedPage, wanted: Wanted): Promise<Edge[]> {
  if (!inView(page, view)) return [];
  const edges: Edge[] = [];
  for (const link of await index.linksFrom(page.pageId)) {
    if (!wanted(link.linkSkill)) continue;
    const target = { skill: link.linkSkill === '' ? null : link.linkSkill, id: link.target };
    const seen = await resolveSlug(index, reader, target, view);
    if (seen) edges.push({ link, dstPage: seen.pageId, exists: true, other: seen });
    else if (!(await resolveSlug(index, EVERYONE, target, view))) {
      edges.push({ link, dstPage: link.target, exists: false, other: null });
    }
  }
  return edges;
}

/** Used only to tell a hidden target from a missing one, never to answer. */
const EVERYONE: Pick<Reader, 'mayRead'> = { mayRead: () => true };

/** Typed links of this page's skill and bare links, as far as they resolve to this very page (E259; deviations). */
async function incoming({ index, reader, view }: View, page: IndexedPage, wanted: Wanted): Promise<Edge[]> {
  if (page.slug === null) return [];
  const typed = page.pageType === 'skill' ? 'skill' : page.skill;
  const meant: string[] = [];
  for (const linkSkill of [typed, '']) {
    const target = { skill: linkSkill === '' ? null : linkSkill, id: page.slug };
    const found = wanted(linkSkill) ? await resolveSlug(index, reader, target, { ...view, asOf: null }) : undefined;
    if (found?.pageId === page.pageId) meant.push(linkSkill);
  }
  const edges: Edge[] = [];
  for (const link of meant.length > 0 ? await index.linksTo(page.slug, meant) : []) {
    const source = await index.page(link.srcPage);
    if (source && inView(source, view) && reader.mayRead(source)) {
      edges.push({ link, dstPage: page.pageId, exists: true, other: source });
    }
  }
  return edges;
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
