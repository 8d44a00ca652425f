import type { Catalog } from './catalog.ts';
import { isBasePage } from './catalog.ts';
import { isMetaSkill, metaSkillProblem } from './meta-skill.ts';
import type { StoredPage } from './ports.ts';
import type { Issue } from './schema.ts';
import type { WritablePage } from './write-access.ts';

/** Kinds whose instances the page API never writes (E383). */
const READ_ONLY_BACKENDS = new Set(['sql_view', 'document', 'openapi', 'mcp']);

export interface Draft extends WritablePage {
  readonly pageId: string;
  readonly content: string;
}

/** The head a draft would replace; `page` is null when there is none or it is archived. */
export interface Head {
  readonly stored: StoredPage | undefined;
  readonly page: WritablePage | null;
}

export const refusal = (code: string, location: string, message: string): Issue => ({
  severity: 'error',
  code,
  location,
  message,
});

/** Write rights that are missing in mode `enforce` (E390). */
export const FORBIDDEN = refusal('forbidden', 'frontmatter', 'not permitted to write this page');

/**
 * The first reason that refuses a draft whoever wrote it, in the order of E371; null when none does. Write rights and
 * version guards come after these.
 */
export function guardProblem(catalog: Catalog, admin: boolean, head: Head, draft: Draft): Issue | null {
  return (
    backendProblem(catalog, [head.page, draft]) ??
    layerProblem([head.page, draft], [draft.pageId], 'frontmatter.layer') ??
    (admin ? null : curatorProblem(catalog, draft)) ??
    metaProblem(head, draft)
  );
}

/** Instances whose skill has an outside backend are written there (E383). */
export function backendProblem(catalog: Catalog, pages: readonly (WritablePage | null)[]): Issue | null {
  const skills = pages.flatMap(page => (page?.facts.pageType === 'instance' ? [page.facts.skill] : []));
  const kind = skills
    .map(skill => catalog.byId.get(skill)?.backend)
    .find(found => found && READ_ONLY_BACKENDS.has(found));
  return kind
    ? refusal('backend_read_only', 'frontmatter.backend_ref', `${kind} instances are written at their source`)
    : null;
}

/** Pages of a pack, by their id or their layer, are nobody's to change (E384, E442). */
export function layerProblem(
  pages: readonly (WritablePage | null)[],
  pageIds: readonly string[],
  location: string,
): Issue | null {
  if (!pageIds.some(isBasePage) && !pages.some(isBaseLayer)) return null;
  return refusal('layer_read_only', location, 'pages of a pack come from its import and stay as they are');
}

const isBaseLayer = (page: WritablePage | null): boolean => {
  const layer = page?.frontmatter.layer;
  return typeof layer === 'string' && layer.startsWith('base@');
};

function curatorProblem(catalog: Catalog, draft: Draft): Issue | null {
  if (draft.frontmatter.promotable === true) {
    return refusal('promotable_requires_curator', 'frontmatter.promotable', 'only an admin marks a page promotable');
  }
  if (draft.facts.pageType !== 'skill') return null;
  const shadows = catalog.pages.some(skill => skill.id === draft.facts.slug && isBasePage(skill.page.pageId));
  return shadows
    ? refusal('shadow_requires_curator', 'frontmatter.id', 'a pack provides this skill; only an admin shadows it')
    : null;
}

function metaProblem(head: Head, draft: Draft): Issue | null {
  const meta = isMetaSkill(draft.pageId, head.page?.facts.slug ?? null, head.page?.facts.pageType ?? null);
  return meta && head.page && head.stored ? metaSkillProblem(head.stored.content, draft.content) : null;
}

export interface VersionGuards {
  readonly base_sha256?: string | undefined;
  readonly base_version?: string | undefined;
  readonly if_absent?: boolean | undefined;
}

/** The guard that the head does not meet, null when all do (E374-E379; deviations, L18). */
export function guardedConflict(head: Head, guards: VersionGuards): keyof VersionGuards | null {
  const live = head.page !== null ? head.stored : undefined;
  if (guards.if_absent === true && live) return 'if_absent';
  if (guards.base_sha256 !== undefined && guards.base_sha256 !== (live?.sha256 ?? '')) return 'base_sha256';
  if (guards.base_version !== undefined && guards.base_version !== `v${live?.version ?? 'none'}`) return 'base_version';
  return null;
}
