import { defineOp } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import type { IndexedPage, PageIndex, TimeAndScenario } from './ports.ts';
import { ExpandInput, ExpandOutput } from './schema.ts';
import { checkedPageId, inView, pageRef, timeAndScenario } from './visible.ts';

export const expand = defineOp({
  name: 'expand',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Read one page: header, body, blocks with their anchors and the links it holds.',
  input: ExpandInput,
  output: ExpandOutput,
  publishesOutput: true,
  async run({ index, access, content }: Pick<PagesDeps, 'index' | 'access' | 'content'>, ctx, input) {
    const view = timeAndScenario('expand', input);
    const page = await pageInView(index, checkedPageId('expand', 'page_id', input.page_id), view);
    const reader = await access.reader(ctx.principal);
    if (!page || !reader.mayRead(page)) return { page: null };
    const parsed = await content(page);
    const plain = view.asOf === null && view.scenario === null;
    return {
      page: { ...pageRef(page), last_written_by: page.lastWrittenBy },
      frontmatter: page.frontmatter,
      body: parsed.body,
      blocks: parsed.blocks.map(({ anchor, content: text }) => ({ anchor, content: text })),
      wikilinks_out: parsed.links.flatMap(({ field, link }) => (field === null ? [link] : [])),
      ...(plain ? { content_sha256: page.sha256 } : {}),
      version: `v${page.version}`,
    };
  },
});

/** The page with that id as the view has it: its overlay twin where there is one, null outside the view. */
async function pageInView(index: PageIndex, pageId: string, view: TimeAndScenario): Promise<IndexedPage | undefined> {
  const page = await index.page(pageId);
  if (!page) return undefined;
  if (view.scenario !== null && page.scenario === null && page.slug !== null) {
    const skill = page.pageType === 'skill' ? null : page.skill;
    const [best] = await index.bySlug(page.slug, skill, page.pageType, view.scenario);
    if (best && best.scenario === view.scenario) return inView(best, view) ? best : undefined;
  }
  return inView(page, view) ? page : undefined;
}
