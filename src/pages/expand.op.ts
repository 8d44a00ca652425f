import { defineOp, type Ctx } from '../kernel/op.ts';
import { isBasePage } from './catalog.ts';
import type { PagesDeps } from './deps.ts';
import { viewer } from './history/viewer.ts';
import type { ParsedPage } from './model.ts';
import { readPart, wantsPart, type Part } from './parts/read-part.ts';
import type { IndexedPage, PageIndex, TimeAndScenario } from './ports.ts';
import { ExpandInput, ExpandOutput } from './schema.ts';
import { checkedPageId, pageRef, timeAndScenario } from './visible.ts';

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
  async run(deps: ExpandDeps, ctx, input) {
    const view = timeAndScenario('expand', input);
    const pageId = checkedPageId('expand', 'page_id', input.page_id);
    if (view.asOf !== null) return expandThen(deps, ctx, pageId, view, input);
    const page = await pageInView(deps.index, pageId, view.scenario);
    const reader = await deps.access.reader(ctx.principal);
    if (!page || !reader.mayRead(page)) return { page: null };
    const plain = view.scenario === null;
    if (plain && page.pageType !== 'skill' && !wantsPart(input)) {
      const parsed = await deps.content(page);
      return deps.answers.of(page, parsed, () => answerOf(page, asParsed(page, parsed), wholeOf(parsed), plain));
    }
    const shown = await asItIs(deps, page);
    const part = wantsPart(input) ? readPart(shown.body, page.version, input) : wholeOf(shown);
    return { ...answerOf(page, shown, part, plain), ...(await shadowOf(deps, page)) };
  },
});

type ExpandDeps = Pick<
  PagesDeps,
  'store' | 'index' | 'access' | 'catalog' | 'content' | 'answers' | 'parse' | 'project'
>;

type Content = Pick<Part, 'body'> & { readonly blocks: readonly Omit<Part['blocks'][number], 'sha256'>[] };

const wholeOf = ({ body, blocks }: ParsedPage): Content => ({
  body,
  blocks: blocks.map(({ anchor, content }) => ({ anchor, content })),
});

type Asked = Parameters<typeof wantsPart>[0];

/** `plain`: the page as it is, whose hash a write may name as its base. */
function answerOf(page: Pick<IndexedPage, 'sha256' | 'version'>, shown: Shown, content: Content, plain: boolean) {
  return {
    page: shown.ref,
    frontmatter: shown.frontmatter,
    ...content,
    blocks: [...content.blocks],
    wikilinks_out: shown.links.flatMap(({ field, link }) => (field === null ? [link] : [])),
    ...(plain ? { content_sha256: page.sha256 } : {}),
    version: `v${page.version}`,
  };
}

/** What a tenant's skill page hides of the pack page of its id, so that the pack's values stay in sight (E241, E242). */
async function shadowOf({ catalog }: ExpandDeps, page: IndexedPage) {
  const base = page.pageType === 'skill' && page.slug !== null ? (await catalog()).shadowed.get(page.slug) : undefined;
  if (!base || isBasePage(page.pageId)) return {};
  return { shadow: { base_page_id: base.page.pageId, pack: base.layer, base: base.page.frontmatter } };
}

interface Shown extends ParsedPage {
  readonly ref: ReturnType<typeof pageRef> & { last_written_by: string | null };
}

const asItIs = async ({ content }: ExpandDeps, page: IndexedPage): Promise<Shown> =>
  asParsed(page, await content(page));

const asParsed = (page: IndexedPage, parsed: ParsedPage): Shown => ({
  ...parsed,
  ref: { ...pageRef(page), last_written_by: page.lastWrittenBy },
});

/**
 * The newest version committed by then, which the caller must be allowed to read as well; a page without one shows as it is,
 * if it was born by then (E237, E238). Nobody is named as the writer of a past state.
 */
async function expandThen(deps: ExpandDeps, ctx: Ctx, pageId: string, view: TimeAndScenario, input: Asked) {
  const page = await (await viewer(deps, ctx.principal, view, 'shown')).page(pageId);
  if (!page) return { page: null };
  const stored = page.updatedAt <= view.asOf!;
  const version = await deps.store.version(page.pageId, page.version);
  const parsed = version ? deps.parse(version.content) : await deps.content(page);
  const shown: Shown = { ...parsed, ref: { ...pageRef(page), last_written_by: null } };
  const part = wantsPart(input) ? readPart(parsed.body, page.version, input) : wholeOf(parsed);
  const head = stored ? await deps.store.head(page.pageId) : undefined;
  return {
    ...answerOf({ ...page, version: head?.version ?? page.version }, shown, part, false),
    ...(stored ? { as_of_version: `v${page.version}` } : {}),
  };
}

/** The page with that id, or its twin in the overlay where there is one; undefined for an overlay that was not asked for. */
async function pageInView(index: PageIndex, pageId: string, scenario: string | null): Promise<IndexedPage | undefined> {
  const page = await index.page(pageId);
  if (!page || (page.scenario !== null && page.scenario !== scenario)) return undefined;
  if (scenario === null || page.scenario !== null || page.slug === null) return page;
  const skill = page.pageType === 'skill' ? null : page.skill;
  const [best] = await index.bySlug(page.slug, skill, page.pageType, scenario);
  return best?.scenario === scenario ? best : page;
}
