import { allows, ownerKey } from '../auth/index.ts';
import type { JsonObject } from '../kernel/json.ts';
import { rulingOn } from './access.ts';
import type { Catalog } from './catalog.ts';
import type { PageFacts } from './model.ts';

/** A page as far as its write rights go. */
export interface WritablePage {
  readonly facts: PageFacts;
  readonly frontmatter: JsonObject;
}

/** The caller's side of a write decision. */
export interface Writer {
  readonly admin: boolean;
  readonly groups: ReadonlySet<string>;
  readonly ownerKeys: ReadonlySet<string>;
  /** Whether an owner key of the link form still names somebody (E424). */
  readonly ownerExists: (key: string) => boolean;
}

/**
 * Whether the caller may write `draft`. Rights are those of the stored page and of every page whose place the draft would
 * take (`twins`: same skill and id, an overlay's base page); the draft's own acl never counts (E420-E424).
 * Changing skill or type needs the right on both; a page that is new to its skill needs `create` there (E421).
 */
export function mayWrite(
  catalog: Catalog,
  writer: Writer,
  stored: WritablePage | null,
  draft: WritablePage,
  twins: readonly WritablePage[],
): boolean {
  if (writer.admin) return true;
  const held = stored === null ? twins : [stored, ...twins];
  if (!held.every(page => mayUpdate(catalog, writer, page, draft))) return false;
  const settled =
    stored !== null && stored.facts.pageType === draft.facts.pageType && stored.facts.skill === draft.facts.skill;
  return settled || mayCreate(catalog, writer, draft);
}

function mayUpdate(catalog: Catalog, writer: Writer, page: WritablePage, draft: WritablePage): boolean {
  const field = catalog.byId.get(page.facts.skill)?.access.ownerField ?? null;
  return allows(false, rulingOn(catalog, page.facts, 'update', writer.groups), () => {
    if (field === null) return false;
    const owner = ownerKey(page.frontmatter[field]);
    const orphan = owner === null || !writer.ownerExists(owner);
    const key = orphan ? ownerKey(draft.frontmatter[field]) : owner;
    return key !== null && writer.ownerKeys.has(key);
  });
}

function mayCreate(catalog: Catalog, writer: Writer, draft: WritablePage): boolean {
  const field = catalog.byId.get(draft.facts.skill)?.access.ownerField ?? null;
  return allows(false, rulingOn(catalog, { ...draft.facts, acl: null }, 'create', writer.groups), () => {
    const owner = field === null ? null : ownerKey(draft.frontmatter[field]);
    return owner !== null && writer.ownerKeys.has(owner);
  });
}
