import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { PageLink, WikilinkParsed } from '../model.ts';
import { lineIndex } from './line-map.ts';
import { scanLinks, type FoundLink } from './link-scan.ts';
import { parseInner } from './wikilink.ts';

/** The raw header inside the whole file; `starts` are the file's line starts. */
interface RawHeader {
  readonly text: string;
  readonly starts: readonly number[];
  readonly start: number;
  readonly end: number;
}

/**
 * Links of a header in key order: in strings, in lists and mappings of any depth, and unquoted (`about: [[a::b]]` is a
 * nested list to YAML; E151, E152; deviations, E153). Each stands where the raw header shows it; line and column are 0
 * for one that an escape or a folded line hides.
 */
export function frontmatterLinks(frontmatter: JsonObject, raw: RawHeader): PageLink[] {
  const links: PageLink[] = [];
  let placeOf: ((link: WikilinkParsed) => FoundLink | undefined) | undefined;
  for (const key of Object.keys(frontmatter)) {
    eachLink(frontmatter[key]!, (link, source) => {
      placeOf ??= linkPlaces(raw);
      const place = placeOf(link);
      const line = place === undefined ? -1 : lineIndex(raw.starts, place.start);
      links.push({
        link,
        text: place === undefined ? source : raw.text.slice(place.start, place.end),
        field: `frontmatter.${key}`,
        srcAnchor: null,
        line: line + 1,
        column: place === undefined ? 0 : place.start - raw.starts[line]! + 1,
      });
    });
  }
  return links;
}

type Visit = (link: WikilinkParsed, source: string) => void;

function eachLink(value: Json, visit: Visit): void {
  if (typeof value === 'string') {
    if (value.indexOf('[[') === -1) return;
    for (const { link, start, end } of scanLinks(value, 0, [])) visit(link, value.slice(start, end));
  } else if (Array.isArray(value)) {
    const inner = unquoted(value);
    const link = inner === null || /[[\]\r\n]/.test(inner) ? null : parseInner(inner);
    if (link !== null) visit(link, `[[${inner}]]`);
    else for (const item of value) eachLink(item, visit);
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) eachLink(value[key]!, visit);
  }
}

/** What stood between the brackets when YAML made `[[…]]` a list of one list, else null. */
function unquoted(list: readonly Json[]): string | null {
  const [inner, ...more] = list;
  if (more.length > 0 || !Array.isArray(inner)) return null;
  const [first, ...rest] = inner;
  if (typeof first === 'string' && rest.length === 0) return first;
  // A comma or a colon inside cut the link in pieces; only a typed one is told from plain data then.
  let text: string | null = null;
  if (inner.every(isScalar)) text = inner.join(', ');
  else if (rest.length === 0 && isObject(first)) {
    const [[key, value] = ['', null], ...others] = Object.entries(first as JsonObject);
    if (others.length === 0 && isScalar(value)) text = `${key}: ${value ?? ''}`;
  }
  return text?.includes('::') ? text : null;
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}

/** Links as the header shows them, comment lines left out. Each is handed out once, in order, to its equal. */
function linkPlaces({ text, starts, start, end }: RawHeader): (link: WikilinkParsed) => FoundLink | undefined {
  const places = new Map<string, { readonly found: FoundLink[]; next: number }>();
  let line = -1;
  let comment = false;
  for (const found of scanLinks(text, start, [], end)) {
    const index = lineIndex(starts, found.start);
    if (index !== line) comment = /^[ \t]*#/.test(text.slice(starts[index], found.start));
    line = index;
    if (comment) continue;
    const key = JSON.stringify(found.link);
    const same = places.get(key);
    if (same === undefined) places.set(key, { found: [found], next: 0 });
    else same.found.push(found);
  }
  return link => {
    const same = places.get(JSON.stringify(link));
    return same?.found[same.next++];
  };
}
