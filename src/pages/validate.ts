import { accessFindings } from './access-findings.ts';
import type { Catalog } from './catalog.ts';
import { finding, type Finding } from './finding.ts';
import { parseAt } from './parse/at.ts';
import { findAnchor } from './parse/find-anchor.ts';
import type { Block, PageLink, ParsedPage } from './model.ts';
import type { IndexedPage } from './ports.ts';
import { AUTONOMY, autonomyOf, paramEntries, paramKind, type Skill } from './skill.ts';

/** What the checks need to know of the world: only what the caller may see, so that nothing hidden shows (E364). */
export interface World {
  readonly catalog: Catalog;
  /** The page a typed link means, undefined when there is none that the caller may read. */
  readonly target: (skill: string, id: string) => Promise<IndexedPage | undefined>;
  readonly blocks: (page: IndexedPage) => Promise<readonly Block[]>;
}

const SKILLS_HINT = 'list_skills names the skills there are';

/** Every finding about a draft, in the order of E362. A draft that cannot be read has that one finding (E342, E370). */
export async function validatePage(page: ParsedPage, world: World): Promise<Finding[]> {
  if (page.problem) {
    const { line, column, message } = page.problem;
    const text = `line:${line} col:${column}: ${message}`;
    return [finding('error', 'frontmatter_parse', 'frontmatter', text, { blocking: true })];
  }
  return [...headerFindings(page, world.catalog), ...(await linkFindings(page, world))];
}

function headerFindings(page: ParsedPage, catalog: Catalog): Finding[] {
  const header = page.frontmatter;
  const isSkill = header.type === 'skill';
  const found = isSkill ? [...autonomyFindings(header.autonomy), ...paramFindings(header.params)] : [];
  if (!isSkill && (typeof header.id !== 'string' || header.id === '')) {
    const message = 'an instance needs a text id';
    found.push(finding('error', 'frontmatter_required_key_missing', 'frontmatter.id', message, { blocking: true }));
  }
  const skill = declaredSkill(page, catalog);
  if (!skill && !isSkill) {
    const message = `no skill ${String(header.skill ?? '')}`;
    found.push(finding('error', 'unknown_skill', 'frontmatter.skill', message, { suggestion: SKILLS_HINT }));
  }
  for (const key of skill?.required ?? []) {
    if (Object.hasOwn(header, key)) continue;
    const message = `skill ${skill!.id} needs the key ${key}`;
    found.push(finding('error', 'frontmatter_required_key_missing', `frontmatter.${key}`, message));
  }
  if (!isSkill && skill?.required.includes('at') && Object.hasOwn(header, 'at') && parseAt(header.at) === null) {
    const suggestion = 'write RFC 3339, such as 2026-04-12T10:00:00+02:00';
    found.push(finding('error', 'frontmatter_at_invalid', 'frontmatter.at', 'at is not a time', { suggestion }));
  }
  return [...found, ...accessFindings(header, isSkill)];
}

/** The skill a page is an instance of; a skill page is checked against its own stored declaration (E347). */
function declaredSkill(page: ParsedPage, catalog: Catalog): Skill | undefined {
  const { type, id, skill } = page.frontmatter;
  const name = type === 'skill' ? id : skill;
  return typeof name === 'string' ? catalog.byId.get(name) : undefined;
}

function autonomyFindings(value: unknown): Finding[] {
  if (value === undefined || autonomyOf(value) !== null) return [];
  const suggestion = `use one of ${AUTONOMY.join(', ')}`;
  return [finding('error', 'frontmatter_autonomy_unknown', 'frontmatter.autonomy', 'unknown autonomy', { suggestion })];
}

function paramFindings(value: unknown): Finding[] {
  const entries = paramEntries(value);
  if (entries === null || entries.some(entry => typeof entry.name !== 'string' || entry.name === '')) {
    const message = 'params is neither a list of named entries nor a mapping';
    const suggestion = 'write a list of {name, kind, required}';
    return [finding('error', 'frontmatter_params_malformed', 'frontmatter.params', message, { suggestion })];
  }
  return entries.flatMap(entry => {
    const kind = entry.kind ?? entry.type;
    if (kind === undefined || paramKind(kind) !== null) return [];
    const location = `frontmatter.params.${String(entry.name)}.kind`;
    const suggestion = 'use string, integer or boolean';
    return [
      finding('warning', 'frontmatter_param_kind_unknown', location, 'unknown kind, read as string', { suggestion }),
    ];
  });
}

/** Body links before header links for the skill checks, header before body for the dangling ones (E362). */
async function linkFindings(page: ParsedPage, world: World): Promise<Finding[]> {
  const body = page.links.filter(link => link.field === null);
  const header = page.links.filter(link => link.field !== null);
  const required = new Set((declaredSkill(page, world.catalog)?.required ?? []).map(key => `frontmatter.${key}`));
  const found = [...body, ...header].flatMap(link => skillFinding(link, world.catalog));
  for (const link of [...header, ...body]) found.push(...(await targetFindings(link, required, world)));
  return found;
}

const place = (at: PageLink): string => at.field ?? `line:${at.line} col:${at.column}`;

function skillFinding(at: PageLink, catalog: Catalog): Finding[] {
  const { skill, id } = at.link;
  if (skill === null) return [];
  if (id === null) {
    const suggestion = 'write [[skill::id]]';
    return [finding('warning', 'wikilink_parse', place(at), `${at.text} names no page`, { suggestion })];
  }
  const named = skill === 'skill' ? id : skill;
  if (catalog.byId.has(named)) return [];
  const message = `${at.text}: no skill ${named}`;
  return [finding('error', 'unknown_skill', place(at), message, { suggestion: SKILLS_HINT, blocking: true })];
}

async function targetFindings(at: PageLink, required: ReadonlySet<string>, world: World): Promise<Finding[]> {
  const { skill, id, anchor } = at.link;
  if (skill === null || id === null || skill === 'skill' || !world.catalog.byId.has(skill)) return [];
  const page = await world.target(skill, id);
  if (!page) {
    const needed = at.field !== null && required.has(at.field);
    const severity = needed ? 'error' : 'warning';
    return [finding(severity, 'dangling_wikilink', place(at), `${at.text}: no such page`, { blocking: needed })];
  }
  if (anchor === null || findAnchor(await world.blocks(page), anchor)) return [];
  return [finding('warning', 'anchor_missing', place(at), `${at.text}: the page has no anchor ${anchor}`)];
}
