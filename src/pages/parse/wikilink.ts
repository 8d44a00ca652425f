import type { WikilinkParsed } from '../model.ts';

/** Characters that have a meaning inside a link, by their escape. Nothing else is decoded (L07). */
const ESCAPED: Readonly<Record<string, string>> = {
  '%23': '#',
  '%25': '%',
  '%3A': ':',
  '%40': '@',
  '%5B': '[',
  '%5D': ']',
  '%5E': '^',
  '%7C': '|',
};
const ESCAPE = /%(?:23|25|3[Aa]|40|5[BbDdEe]|7[Cc])/g;
const STRUCTURAL = /[#@|[\]^]|%(?=23|25|3[Aa]|40|5[BbDdEe]|7[Cc])|^:|:$|:(?=:)|(?<=:):/g;

/**
 * One whole link, with or without its brackets, taken apart; null when the text is anything else (E107-E131;
 * deviations, E114, E122, E223). Escapes are decoded after the cuts, part by part (L07, L09); skill, id and anchor are
 * in NFC (L12).
 */
export function parseWikilink(text: string): WikilinkParsed | null {
  const trimmed = text.trim();
  const bracketed = trimmed.startsWith('[[') && trimmed.endsWith(']]') && trimmed.length >= 4;
  const inner = bracketed ? trimmed.slice(2, -2) : trimmed;
  return /[[\]\r\n]/.test(inner) ? null : parseInner(inner);
}

/** What stands between the brackets: free of brackets and line breaks. Null when it names neither skill nor id. */
export function parseInner(inner: string): WikilinkParsed | null {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const hash = target.indexOf('#');
  const at = target.indexOf('@');
  // Whichever of the two comes first ends where the other begins; the second one runs to the end.
  const first = hash === -1 || (at !== -1 && at < hash) ? at : hash;
  const second = first === hash ? at : hash;
  const head = first === -1 ? target : target.slice(0, first);
  const colons = head.indexOf('::');
  const skill = colons === -1 ? null : part(head.slice(0, colons));
  const id = part(colons === -1 ? head : head.slice(colons + 2));
  if (skill === null && id === null) return null;
  return {
    skill: nfc(skill),
    id: nfc(id),
    anchor: nfc(marked(target, hash, first === hash ? second : -1)),
    version: marked(target, at, first === at ? second : -1),
    alias: bar === -1 ? null : part(inner.slice(bar + 1)),
  };
}

/**
 * Writes any title, id or anchor so that it can stand as one part of a link and is read back unchanged: `C# to JSON
 * [v2]` becomes `C%23 to JSON %5Bv2%5D` (L07). Line breaks and outer spaces have no form in a link.
 */
export function encodeLinkPart(text: string): string {
  return text.replace(STRUCTURAL, unit => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What follows the mark at `from`, up to the other one where that comes later. */
const marked = (target: string, from: number, other: number): string | null =>
  from === -1 ? null : part(target.slice(from + 1, other > from ? other : target.length));

function part(raw: string): string | null {
  const text = raw.trim();
  if (text === '') return null;
  return text.indexOf('%') === -1 ? text : text.replace(ESCAPE, escape => ESCAPED[escape.toUpperCase()]!);
}

function nfc(text: string | null): string | null {
  return text === null ? null : text.normalize('NFC');
}
