import type { Json, JsonObject } from '../../kernel/json.ts';
import { emitMapping } from './emit-yaml.ts';
import { splitHeader } from './header.ts';
import { dominantEol, type Eol } from './line-map.ts';

/**
 * Writes a page that parses to exactly this mapping and this body (F03). `eol` ends the lines of the header only; the
 * body goes in as it is. Throws a RangeError for values nested deeper than 100 levels.
 */
export function renderPage(frontmatter: JsonObject, body: string, eol: Eol = '\n'): string {
  // A CR that ends the fence must not swallow a LF that begins the body.
  const last = eol === '\r' && body.startsWith('\n') ? '\r\n' : eol;
  return `---${eol}${emitMapping(frontmatter).join(eol)}${eol}---${last}${body}`;
}

/**
 * Sets one key of a page's header and leaves the body alone (E106). Comments and layout of the header stay where the
 * key can be put on a line of its own; otherwise the header is written anew. Null when the header cannot be read.
 */
export function stampHeader(content: string, key: string, value: Json): string | null {
  const split = splitHeader(content);
  const { header, headerStart, frontmatter, problem } = split;
  if (header === null || (problem !== null && problem.code !== 'invalid_type')) return null;
  const wanted: JsonObject = { ...frontmatter };
  Object.defineProperty(wanted, key, { value, enumerable: true, configurable: true, writable: true });
  if (same(wanted, frontmatter)) return content;
  const eol = dominantEol(content);
  const lines = emitMapping(Object.fromEntries([[key, value]])).join(eol) + eol;
  const end = headerStart + header.length;
  const appended = content.slice(0, end) + lines + content.slice(end);
  if (!Object.hasOwn(frontmatter, key)) {
    const read = splitHeader(appended);
    if (read.body === split.body && same(read.frontmatter, wanted)) return appended;
  }
  const before = content.slice(0, headerStart).replace(/---[\r\n]+$/, '');
  return before + renderPage(wanted, split.body, eol);
}

function same(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
