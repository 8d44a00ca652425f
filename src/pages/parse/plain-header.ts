import { NOT_RESOLVED } from 'js-yaml';
import type { Json, JsonObject } from '../../kernel/json.ts';
import { float, integer } from './yaml-numbers.ts';

const LINE = /^([A-Za-z_][A-Za-z0-9_-]*):(?: +(.*))?$/;
const ITEM = /^( *)- +(.*)$/;
/** Text that YAML takes as it is: no indicator at its start, nothing that would need an escape. */
const PLAIN = /^[\p{L}\p{N}_/(][^\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*$/u;
const ENDS_PLAIN = /:(?: |$)| #/;
const QUOTED =
  /^(?:"[^"\\\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*"|'[^'\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*')$/u;
/** One item of `[a, "b"]` with the mark behind it. */
const IN_LIST =
  /( *)("[^"\\\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*"|'[^'\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*'|[\p{L}\p{N}_][\p{L}\p{M}\p{N} _./()+-]*)( *)([,\]])/uy;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
]);

/**
 * Reads the headers that nearly all pages have, one `key: value` a line with plain lists, many times as fast as the
 * YAML library, and to the same result. Null for everything beyond that, be it right or wrong: then the library decides.
 */
export function readPlainHeader(yaml: string): JsonObject | null {
  const mapping: JsonObject = {};
  /** The list under the key before, once its first item is there; `indent` is that of its dashes. */
  let open: { readonly key: string; readonly items: Json[]; indent: number } | null = null;
  let read = 0;
  for (let start = 0; start < yaml.length;) {
    const lineBreak = yaml.indexOf('\n', start);
    const end = lineBreak === -1 ? yaml.length : lineBreak;
    const line = yaml.slice(start, end);
    start = end + 1;
    const match = LINE.exec(line);
    if (match === null) {
      const item = open === null ? null : ITEM.exec(line);
      if (open === null || item === null) return null;
      const value = readScalar(withoutEndSpaces(item[2]!));
      if (value === undefined || (open.items.length > 0 && open.indent !== item[1]!.length)) return null;
      open.indent = item[1]!.length;
      open.items.push(value);
      mapping[open.key] = open.items;
      continue;
    }
    const key = match[1]!;
    const text = withoutEndSpaces(match[2] ?? '');
    const value = text === '' ? null : readValue(text);
    if (value === undefined || key === '__proto__' || WORDS.has(key) || Object.hasOwn(mapping, key)) return null;
    mapping[key] = value;
    open = text === '' ? { key, items: [], indent: 0 } : null;
    read++;
  }
  return read === 0 ? null : mapping;
}

function withoutEndSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Undefined for what only the library reads. */
function readValue(text: string): Json | undefined {
  if (text.charCodeAt(0) !== 91) return readScalar(text);
  return text === '[]' ? [] : readList(text);
}

function readScalar(text: string): Json | undefined {
  if (PLAIN.test(text)) return ENDS_PLAIN.test(text) ? undefined : readPlain(text);
  return QUOTED.test(text) ? text.slice(1, -1) : undefined;
}

function readPlain(text: string): Json {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first < 48 || first > 57) return text;
  for (const tag of [integer, float]) {
    const value = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value as number;
  }
  return text;
}

function readList(text: string): Json[] | undefined {
  const items: Json[] = [];
  IN_LIST.lastIndex = 1;
  for (;;) {
    const match = IN_LIST.exec(text);
    if (match === null) return undefined;
    const item = withoutEndSpaces(match[2]!);
    items.push(QUOTED.test(item) ? item.slice(1, -1) : readPlain(item));
    if (match[4] === ']') return IN_LIST.lastIndex === text.length ? items : undefined;
  }
}
