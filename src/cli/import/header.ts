import type { Json, JsonObject } from '../../kernel/json.ts';
import { dominantEol, renderPage, splitHeader, type SplitPage } from '../../pages/index.ts';
import type { HeaderFate } from './model.ts';
import { writeKeys } from './header-keys.ts';

/** What a note gets where its own header does not say it. */
interface Identity {
  readonly skill: string;
  readonly id: string;
  readonly title: string;
}

interface HeadedPage {
  readonly content: string;
  readonly header: HeaderFate;
  /** What a reader of the report should know, one sentence each. */
  readonly remarks: readonly string[];
}

/** Keys that hide, close or freeze a page; a note may carry them by accident. */
const GOVERNING = ['acl', 'archived', 'backend_ref', 'layer', 'promotable', 'scenario'] as const;

/** Whether a header that cannot be read seems to say who may see the page. */
const ABOUT_ACCESS = /^[ \t]*["']?(?:acl|visibility|owner_field|archived)["']?[ \t]*:/imu;

/** Grants every verb to nobody: admins only (E398). */
const CLOSED: JsonObject = { acl: { read: [], create: [], update: [], delete: [] } };

/**
 * Makes a page of a file. The body stays as it is, byte for byte; a BOM stays in front; the file's own keys stay, and
 * those that say what a page is are added where they are missing. A header that cannot be read becomes body text below
 * a new one, closed to all but admins when it seemed to be about access (F02, F07).
 */
export function headed(text: string, identity: Identity): HeadedPage {
  const split = openedIfBlank(text, splitHeader(text));
  const code = split.problem?.code ?? null;
  if (code === null || code === 'invalid_type') return extended(text, split, identity);
  if (code === 'missing_frontmatter')
    return { content: below(text, split.body, identity), header: 'added', remarks: [] };
  const closed = ABOUT_ACCESS.test(split.header ?? text);
  const { message, line, column } = split.problem!;
  const remarks = [`header kept as text, line ${line} column ${column}: ${message}`];
  if (closed) remarks.push('the unreadable header speaks of access: only admins see the page until it is repaired');
  return { content: below(text, split.body, identity, closed ? CLOSED : {}), header: 'text', remarks };
}

/** A header of nothing but blank lines and comments is one to write into, not one that cannot be read. */
function openedIfBlank(text: string, split: SplitPage): SplitPage {
  const { header, headerStart, problem } = split;
  if (header === null || problem === null) return split;
  if (!header.split(/[\r\n]/u).every(line => /^[ \t]*(?:#|$)/u.test(line))) return split;
  const body = text.slice(headerStart + header.length).replace(/^---(?:\r\n|\n|\r)?/u, '');
  return { ...split, body, frontmatter: {}, problem: { ...problem, code: 'invalid_type' } };
}

function below(text: string, body: string, identity: Identity, more: JsonObject = {}): string {
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  return bom + renderPage({ type: 'instance', ...identity, ...more }, body, dominantEol(text));
}

/** A page that says of itself what it is stays byte for byte; keys of a note that mean something else are renamed. */
function extended(text: string, split: SplitPage, identity: Identity): HeadedPage {
  const { frontmatter, problem } = split;
  const isPage = problem === null;
  const isSkill = isPage && frontmatter['type'] === 'skill';
  const wanted: Record<string, Json> = {
    type: 'instance',
    skill: identity.skill,
    id: identity.id,
    title: identity.title,
  };
  if (isPage) delete wanted['title'];
  if (isSkill) delete wanted['skill'];
  const misread = ['type', 'skill', 'id'].filter(key => key in wanted && !usable(frontmatter, key));
  const renamed = new Map(
    misread.filter(key => Object.hasOwn(frontmatter, key)).map(key => [key, freeKey(frontmatter, key)]),
  );
  const added = Object.entries(wanted).filter(([key]) => renamed.has(key) || !Object.hasOwn(frontmatter, key));
  if (added.length === 0) return { content: text, header: 'kept', remarks: [] };
  const written = writeKeys(text, split, renamed, added);
  const remarks = [...renamed].map(
    ([key, name]) => `its own key ${key} is now ${name}: here ${key} means something else`,
  );
  if (written.rewritten) remarks.push('header written anew, its comments and layout are gone');
  for (const key of isPage ? [] : GOVERNING) {
    if (Object.hasOwn(frontmatter, key)) remarks.push(`its own key ${key} has a meaning here: check who sees the page`);
  }
  return { content: written.content, header: 'extended', remarks };
}

function usable(frontmatter: JsonObject, key: string): boolean {
  const value = Object.hasOwn(frontmatter, key) ? frontmatter[key] : undefined;
  if (key === 'type') return value === 'skill' || value === 'instance';
  return typeof value === 'string' && value !== '';
}

function freeKey(frontmatter: JsonObject, key: string): string {
  let name = `note_${key}`;
  for (let count = 2; Object.hasOwn(frontmatter, name); count++) name = `note_${key}_${count}`;
  return name;
}
