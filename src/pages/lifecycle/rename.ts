import { Failure } from '../../kernel/failure.ts';
import type { Ctx } from '../../kernel/op.ts';
import type { Reader } from '../access.ts';
import type { PagesDeps } from '../deps.ts';
import type { WikilinkParsed } from '../model.ts';
import { splitHeader, stampHeader } from '../parse/index.ts';
import type { PagePut } from '../ports.ts';
import type { Issue } from '../schema.ts';
import { refusal, type Draft } from '../update-guards.ts';
import { gatherWrite } from '../update-situation.ts';
import { resolveSlug } from '../visible.ts';
import { gatesProblem } from '../write-page.ts';
import type { Leaving } from './leaving.ts';
import { relinked } from './relink.ts';

/** Pages whose links follow in one commit. */
const MOST_SOURCES = 1000;

/** What a commit would write; `put` is what the page itself becomes. */
export interface RenamePlan {
  readonly puts: readonly PagePut[];
  readonly rewritten: readonly string[];
  /** Pages that the caller may read, and whose links stay as they are. */
  readonly kept: readonly string[];
}

/**
 * A new id for an instance, and for every link that leads to it from pages that the caller may read and write; all other bytes
 * stay. An issue says why not. A caller sees nothing of pages that are hidden from them: their links lead nowhere afterwards.
 */
export async function planRename(
  deps: PagesDeps,
  ctx: Ctx,
  leaving: Leaving,
  to: string,
  message: string,
): Promise<RenamePlan | Issue> {
  const { page, stored } = leaving;
  const { slug, skill, unreadable, pageType } = page.facts;
  if (pageType === 'skill') {
    const text = 'move_page: rewrite_links: a skill keeps its id, for its instances name it';
    throw new Failure('invalid_params', text, { argument: 'rewrite_links' });
  }
  const id = idOf(to);
  if (id === slug) return { puts: [], rewritten: [], kept: [] };
  const named = unreadable ? null : withHeaderId(page.content, id);
  if (named === null) return refusal('frontmatter_parse', 'from', 'the header cannot be read, so its id stays');
  const reader = await deps.access.reader(ctx.principal);
  const twin = await resolveSlug(deps.index, reader, { skill, id }, { asOf: null, scenario: page.facts.scenario });
  if (twin && twin.scenario === page.facts.scenario) {
    return refusal('conflict', 'to', `${twin.pageId} already answers to this skill and id`);
  }
  const putOf = (pageId: string, base: number, content: string): PagePut => ({
    pageId,
    base,
    content,
    author: ctx.principal.subject,
    origin: 'agent',
    message,
    committedAt: ctx.now().toISOString(),
  });
  const meantFrom = meanings(deps, reader, page);
  const own = relinked(named, deps.parse, await meantFrom(page.facts.scenario), id);
  const problem = await problemOf(deps, ctx, page.pageId, own ?? named);
  if (problem) return problem;
  const puts = [putOf(page.pageId, stored.version, own ?? named)];
  const kept = own === null ? [page.pageId] : [];
  for (const source of await sourcesOf(deps, reader, page)) {
    const head = await deps.store.head(source.pageId);
    if (!head || head.archived) continue;
    const text = relinked(head.content, deps.parse, await meantFrom(source.scenario), id);
    if (text === head.content) continue;
    const stays = text === null || (await problemOf(deps, ctx, source.pageId, text)) !== null;
    if (stays) kept.push(source.pageId);
    else puts.push(putOf(source.pageId, head.version, text));
  }
  return { puts, rewritten: puts.slice(1).map(({ pageId }) => pageId), kept };
}

/** The file's name without its ending. */
const idOf = (pageId: string): string => pageId.split('/').at(-1)!.replace(/\.md$/, '').normalize('NFC');

/** Sets the id of a header where it stands, so that comments and layout stay; null where that cannot be done. */
function withHeaderId(content: string, id: string): string | null {
  const split = splitHeader(content);
  if (split.header === null) return null;
  const line = /^id[ \t]*:[ \t]*[^\r\n]*$/m.exec(split.header);
  const wanted = JSON.stringify({ ...split.frontmatter, id });
  for (const value of line ? [id, JSON.stringify(id)] : []) {
    const at = split.headerStart + line!.index;
    const text = `${content.slice(0, at)}id: ${value}${content.slice(at + line![0].length)}`;
    const read = splitHeader(text);
    if (read.body === split.body && JSON.stringify(read.frontmatter) === wanted) return text;
  }
  return stampHeader(content, 'id', id);
}

/** Which links of a page in that overlay lead to the page, as the caller sees it. */
function meanings(deps: PagesDeps, reader: Reader, { pageId, facts: { slug, skill } }: Draft) {
  return async (scenario: string | null): Promise<(link: WikilinkParsed) => boolean> => {
    const meant = new Set<string | null>();
    for (const form of [skill, null]) {
      const target = await resolveSlug(deps.index, reader, { skill: form, id: slug }, { asOf: null, scenario });
      if (target?.pageId === pageId) meant.add(form);
    }
    return link => slug !== null && link.id === slug && meant.has(link.skill);
  };
}

/** Other pages that the caller may read and that hold a link of its name. */
async function sourcesOf(deps: PagesDeps, reader: Reader, { pageId, facts: { slug, skill } }: Draft) {
  const links = slug === null ? [] : await deps.index.linksTo(slug, [skill, '']);
  const ids = [...new Set(links.map(({ srcPage }) => srcPage))].filter(source => source !== pageId);
  const readable = [...(await deps.index.pages(ids)).values()].filter(row => reader.mayRead(row));
  if (readable.length > MOST_SOURCES) {
    const text = `move_page: rewrite_links: more than ${MOST_SOURCES} pages link to it`;
    throw new Failure('invalid_params', text, { argument: 'rewrite_links' });
  }
  return readable;
}

async function problemOf(deps: PagesDeps, ctx: Ctx, pageId: string, content: string): Promise<Issue | null> {
  const draft: Draft = { pageId, content, ...deps.project(pageId, content) };
  return gatesProblem(deps, ctx, await gatherWrite(deps, ctx.principal, draft), draft);
}
