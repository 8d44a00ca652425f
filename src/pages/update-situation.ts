import { ownerKey } from '../auth/index.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Catalog } from './catalog.ts';
import type { PagesDeps } from './deps.ts';
import type { IndexedPage } from './ports.ts';
import { isSkill } from './skill-rules.ts';
import type { Draft, Head } from './update-guards.ts';
import type { WritablePage, Writer } from './write-access.ts';

/** Everything a planned write is judged by, read in one go. */
export interface WriteSituation {
  readonly catalog: Catalog;
  readonly head: Head;
  /** The stored page whose rights hold, archived or not (E420). */
  readonly held: WritablePage | null;
  /** Other pages whose place in resolution the draft would take. */
  readonly twins: readonly WritablePage[];
  /** Whether the draft is a skill page that would rule over instances which are there already. */
  readonly hasInstances: boolean;
  readonly writer: Writer;
  readonly mayRead: boolean;
}

export async function gatherWrite(deps: PagesDeps, principal: Principal, draft: Draft): Promise<WriteSituation> {
  const [catalog, stored, indexed] = [
    await deps.catalog(),
    await deps.store.head(draft.pageId),
    await deps.index.page(draft.pageId),
  ];
  const held = stored ? deps.project(draft.pageId, stored.content) : null;
  const twins = await twinsOf(deps, draft);
  const reader = await deps.access.reader(principal);
  return {
    catalog,
    held,
    head: { stored, page: stored?.archived === false ? held : null },
    twins,
    hasInstances: principal.admin ? false : await hasInstances(deps, draft),
    writer: principal.admin ? ADMIN : await writerOf(deps, catalog, principal, held ? [held, ...twins] : twins),
    mayRead: indexed !== undefined && reader.mayRead(indexed),
  };
}

const NOBODY: ReadonlySet<string> = new Set();
const ADMIN: Writer = { admin: true, groups: NOBODY, ownerKeys: NOBODY, ownerExists: () => true };

async function writerOf(
  deps: PagesDeps,
  catalog: Catalog,
  principal: Principal,
  pages: readonly WritablePage[],
): Promise<Writer> {
  const groups = await deps.access.groups(principal);
  const lost = new Set<string>();
  for (const page of pages) {
    const field = catalog.byId.get(page.facts.skill)?.access.ownerField;
    const key = field ? ownerKey(page.frontmatter[field]) : null;
    if (key?.startsWith('l:') && !(await ownerResolves(deps, key))) lost.add(key);
  }
  return {
    admin: false,
    groups,
    ownerKeys: await deps.access.ownerKeys(principal),
    ownerExists: key => !lost.has(key),
  };
}

/** A linked owner names somebody when its instance exists and has a `credential`. */
export async function ownerResolves(deps: Pick<PagesDeps, 'index'>, key: string): Promise<boolean> {
  const [skill, id] = splitOnce(key.slice(2), '::');
  const [holder] = await deps.index.bySlug(id, skill, 'instance', null);
  return typeof holder?.frontmatter.credential === 'string';
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

async function hasInstances({ index }: PagesDeps, draft: Draft): Promise<boolean> {
  if (!isSkill(draft)) return false;
  const skill = draft.facts.slug ?? draft.pageId;
  const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
  const now = { asOf: null, scenario: null } as const;
  const query = { ...now, order: 'page_id', limit: 1, after: null, equals: null, clauses: [], scope } as const;
  return (await index.instances({ skill, ...query })).length > 0;
}

async function twinsOf(deps: PagesDeps, draft: Draft): Promise<WritablePage[]> {
  const { slug, skill, pageType, scenario, unreadable } = draft.facts;
  if (slug === null || unreadable) return [];
  const rows = await deps.index.bySlug(slug, pageType === 'skill' ? null : skill, pageType, scenario);
  const twins: WritablePage[] = [];
  for (const row of rows) {
    if (row.pageId === draft.pageId) continue;
    const twin = await twinOf(deps, row);
    if (twin) twins.push(twin);
  }
  return twins;
}

async function twinOf(deps: PagesDeps, row: IndexedPage): Promise<WritablePage | null> {
  const stored = await deps.store.head(row.pageId);
  return stored ? deps.project(row.pageId, stored.content) : null;
}
