import { aclOf } from '../../auth/index.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { PageFacts, PageType, ParsedPage } from '../model.ts';
import type { PageProjection, Project } from '../ports.ts';
import { parseAt } from './at.ts';
import { parsePage } from './parse-page.ts';

/** What the index keeps of a page. A pure function of its bytes and its id; never throws (E139-E146). */
export const project: Project = projector(parsePage);

/** The same over another way to `parsePage`, such as a cache of it; what was made of a page it gives again is not made again. */
export function projector(parse: (content: string) => ParsedPage): Project {
  const known = new WeakMap<ParsedPage, { readonly pageId: string; readonly projection: PageProjection }>();
  return (pageId, content) => {
    const parsed = parse(content);
    const found = known.get(parsed);
    if (found?.pageId === pageId) return found.projection;
    const { frontmatter, blocks, links } = parsed;
    const projection = { facts: factsOf(pageId, parsed), frontmatter, blocks, links };
    known.set(parsed, { pageId, projection });
    return projection;
  };
}

function factsOf(pageId: string, { frontmatter, blocks, problem }: ParsedPage): PageFacts {
  const guess = problem === null ? null : guessFromPath(pageId);
  const slug = (textAt(frontmatter, 'id') ?? guess?.slug ?? null)?.normalize('NFC') ?? null;
  const pageType = guess?.pageType ?? (own(frontmatter, 'type') as PageType);
  // A skill is its own skill (E140, E165); an instance without one falls back to its id (E141).
  const skill = textAt(frontmatter, 'skill') ?? guess?.skill ?? slug ?? (pageType === 'skill' ? pageId : '');
  const acl = own(frontmatter, 'acl');
  const heading = blocks.find(block => block.title !== undefined && block.title !== '')?.title;
  return {
    pageType,
    slug,
    skill: skill.normalize('NFC'),
    title:
      visible(textAt(frontmatter, 'title')) ??
      visible(textAt(frontmatter, 'name')) ??
      heading ??
      slug ??
      lastSegment(pageId),
    description: textAt(frontmatter, 'description') ?? '',
    at: parseAt(own(frontmatter, 'at')),
    scenario: textAt(frontmatter, 'scenario'),
    archived: own(frontmatter, 'archived') === true,
    acl: pageType === 'skill' || acl === undefined ? null : aclOf({ acl }).acl,
    unreadable: problem !== null,
  };
}

function textAt(frontmatter: JsonObject, key: string): string | null {
  const value = own(frontmatter, key);
  return typeof value === 'string' && value !== '' ? value : null;
}

function visible(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text.trim();
}

function own(frontmatter: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(frontmatter, key) ? frontmatter[key] : undefined;
}

/** What the conventional layouts say about a page whose header does not (E137). */
function guessFromPath(pageId: string): { pageType: PageType; skill: string | null; slug: string | null } {
  const skill = /^markdown\/skills\/([^/]+)\.md$/.exec(pageId)?.[1];
  if (skill !== undefined) return { pageType: 'skill', skill, slug: skill };
  const [, of, id] = /^markdown\/instances\/([^/]+)\/([^/]+)\.md$/.exec(pageId) ?? [];
  return { pageType: 'instance', skill: of ?? '', slug: id ?? null };
}

/** The file name without its folder and `.md`. */
function lastSegment(pageId: string): string {
  const name = pageId.slice(pageId.lastIndexOf('/') + 1);
  return name.endsWith('.md') && name.length > 3 ? name.slice(0, -3) : name;
}
