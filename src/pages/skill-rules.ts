import { aclOf, tenantDefault } from '../auth/index.ts';
import type { WritablePage } from './write-access.ts';

/**
 * Whether a draft leaves alone what skill pages say about access: who may read and write their instances, and on the
 * meta-skill the tenant default. Everybody may write skill pages (E419), but to rewrite, replace or remove such a rule would
 * be a way round the rights on every instance (deviations, "rights are decided on the stored page").
 */
export function keepsRules(
  { held, twins, hasInstances }: { held: WritablePage | null; twins: readonly WritablePage[]; hasInstances: boolean },
  draft: WritablePage,
): boolean {
  const ruling = [held, ...twins].filter(page => page !== null).filter(isSkill);
  if (!isSkill(draft)) return held === null || !isSkill(held);
  if (ruling.length > 0)
    return ruling.every(page => page.facts.slug === draft.facts.slug && rules(page) === rules(draft));
  return !hasInstances || rules(draft) === NO_RULES;
}

/** Whether the page says anything about access to instances, so that it cannot go without changing who may do what. */
export const rulesAccess = (page: WritablePage): boolean => isSkill(page) && rules(page) !== NO_RULES;

/** Only base pages rule: an overlay is seen by reads that ask for it and decides nothing. */
export const isSkill = ({ facts }: WritablePage): boolean => facts.pageType === 'skill' && facts.scenario === null;

/** In one spelling, so that the order of keys does not matter. */
function rules({ frontmatter }: Pick<WritablePage, 'frontmatter'>): string {
  const defaults = Object.hasOwn(frontmatter, 'acl_defaults') ? tenantDefault(frontmatter['acl_defaults']) : null;
  return JSON.stringify([aclOf(frontmatter), defaults]);
}

const NO_RULES = rules({ frontmatter: {} });
