import type { Issue } from './schema.ts';
import { parsePage } from './parse/parse-page.ts';
import { META_SKILL } from './catalog.ts';
import { META_SKILL_ID } from './meta-skill-text.ts';

/** Whether a page is the one that explains the server to its agents. */
export function isMetaSkill(pageId: string, slug: string | null, pageType: string | null): boolean {
  return pageId === META_SKILL_ID || (pageType === 'skill' && slug === META_SKILL);
}

/**
 * The refusal of a draft that would drop a section heading of the meta-skill, or change what it is (E183-E185).
 * `stored` is the head's text.
 */
export function metaSkillProblem(stored: string, draft: string): Issue | null {
  const next = parsePage(draft);
  const kept = next.problem === null && next.frontmatter.type === 'skill' && next.frontmatter.id === META_SKILL;
  const headings = new Set(sectionHeadings(next.body));
  const lost = sectionHeadings(parsePage(stored).body).filter(heading => !headings.has(heading));
  if (kept && lost.length === 0) return null;
  return {
    severity: 'error',
    code: 'meta_skill_protected',
    location: 'frontmatter',
    message: kept
      ? `section headings of the meta-skill must stay: ${lost.join(', ')}`
      : 'the meta-skill keeps its type and id',
    suggestion: 'add sections of your own instead',
  };
}

const sectionHeadings = (body: string): string[] =>
  body
    .split(/\r\n|\n|\r/u)
    .filter(line => line.startsWith('## '))
    .map(line => line.trimEnd());
