import type { Issue } from './schema.ts';
import { parsePage } from './parse/parse-page.ts';
import { META_SKILL } from './catalog.ts';
import { META_SKILL_ID } from './meta-skill-text.ts';

/** Whether a page is the one that explains the server to its agents. */
export function isMetaSkill(pageId: string, slug: string | null, pageType: string | null): boolean {
  return pageId === META_SKILL_ID || (pageType === 'skill' && slug === META_SKILL);
}

/**
 * The refusal of a draft that would drop a section heading of the meta-skill, change what it is or archive it (E183-E186).
 * `stored` is the head's text.
 */
export function metaSkillProblem(stored: string, draft: string): Issue | null {
  const next = parsePage(draft);
  const { type, id, archived } = next.frontmatter;
  const kept = next.problem === null && type === 'skill' && id === META_SKILL && archived !== true;
  const headings = new Set(sectionHeadings(next.body));
  const lost = sectionHeadings(parsePage(stored).body).filter(heading => !headings.has(heading));
  if (kept && lost.length === 0) return null;
  return {
    severity: 'error',
    code: 'meta_skill_protected',
    location: 'frontmatter',
    message: kept
      ? `section headings of the meta-skill must stay: ${lost.join(', ')}`
      : 'the meta-skill keeps its type and id and stays',
    suggestion: 'add sections of your own instead',
  };
}

const sectionHeadings = (body: string): string[] =>
  body
    .split(/\r\n|\n|\r/u)
    .filter(line => line.startsWith('## '))
    .map(line => line.trimEnd());
