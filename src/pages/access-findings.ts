import { VERBS } from '../auth/schema.ts';
import { isObject } from '../kernel/json.ts';
import { finding, type Finding } from './finding.ts';

/**
 * Warnings about access keys that do not say what their author may think: a misspelt visibility opens reading (E168), a
 * verb without a list falls through to the next block (E166), a block that is no mapping closes the page (F07).
 */
export function accessFindings(header: Readonly<Record<string, unknown>>, isSkill: boolean): Finding[] {
  const blocks = isSkill ? ['acl', 'acl_defaults'] : ['acl'];
  const found = blocks.flatMap(key => (Object.hasOwn(header, key) ? blockFindings(key, header[key]) : []));
  const visibility = header['visibility'];
  if (isSkill && visibility !== undefined && visibility !== 'public' && visibility !== 'owner') {
    const suggestion = 'use public or owner';
    const message = 'unknown visibility, read as public';
    found.push(finding('warning', 'frontmatter_visibility_unknown', 'frontmatter.visibility', message, { suggestion }));
  }
  return found;
}

function blockFindings(key: string, block: unknown): Finding[] {
  const suggestion = `write a list of group names for each of ${VERBS.join(', ')}`;
  if (!isObject(block)) {
    const message = `${key} is no mapping: nobody but admins passes it`;
    return [finding('warning', 'frontmatter_acl_malformed', `frontmatter.${key}`, message, { suggestion })];
  }
  return Object.entries(block).flatMap(([verb, groups]) => {
    const known = (VERBS as readonly string[]).includes(verb);
    if (known && Array.isArray(groups) && groups.every(group => typeof group === 'string')) return [];
    const message = known ? `${verb} is no list of group names` : `${verb} is no verb`;
    return [finding('warning', 'frontmatter_acl_malformed', `frontmatter.${key}.${verb}`, message, { suggestion })];
  });
}
