import type { PageLink, ParsedPage, WikilinkParsed } from '../model.ts';
import { lineStarts } from '../parse/line-map.ts';
import { encodeLinkPart, parseWikilink } from '../parse/wikilink.ts';

/** The link as it was written, but for its id; null where it has none, or the other one cannot stand in a link. */
export function withId(text: string, id: string): string | null {
  const inner = text.slice(2, -2);
  const mark = inner.search(/[|#@]/);
  const end = mark === -1 ? inner.length : mark;
  const colons = inner.slice(0, end).indexOf('::');
  const start = colons === -1 ? 0 : colons + 2;
  const old = inner.slice(start, end);
  const [lead, tail] = [/^\s*/.exec(old)![0], /\s*$/.exec(old)![0]];
  const made = `[[${inner.slice(0, start)}${lead}${encodeLinkPart(id)}${tail}${inner.slice(end)}]]`;
  const before = parseWikilink(text);
  const after = parseWikilink(made);
  return before?.id && after && sameLink(after, { ...before, id: id.normalize('NFC') }) ? made : null;
}

/**
 * The text with another id in every link that is `meant`, all other bytes as they were. Null where one of them does not stand in
 * the text as it is read, or the text would be read in another way otherwise.
 */
export function relinked(
  content: string,
  parse: (content: string) => ParsedPage,
  meant: (link: WikilinkParsed) => boolean,
  id: string,
): string | null {
  const before = parse(content);
  const starts = lineStarts(content);
  let text = '';
  let done = 0;
  for (const one of before.links.filter(({ link }) => meant(link)).toSorted(inText)) {
    const at = one.column === 0 ? -1 : (starts[one.line - 1] ?? 0) + one.column - 1;
    const made = withId(one.text, id);
    if (made === null || at < done || content.slice(at, at + one.text.length) !== one.text) return null;
    text += content.slice(done, at) + made;
    done = at + one.text.length;
  }
  text += content.slice(done);
  const wanted = before.links.map(one => (meant(one.link) ? { ...one, link: { ...one.link, id } } : one));
  return readAs(parse(text), before, wanted) ? text : null;
}

const inText = (a: PageLink, b: PageLink): number => a.line - b.line || a.column - b.column;

function readAs(after: ParsedPage, before: ParsedPage, links: readonly PageLink[]): boolean {
  return (
    after.problem?.code === before.problem?.code &&
    after.blocks.length === before.blocks.length &&
    Object.keys(after.frontmatter).join('\n') === Object.keys(before.frontmatter).join('\n') &&
    after.links.length === links.length &&
    after.links.every(({ link, field }, at) => field === links[at]!.field && sameLink(link, links[at]!.link))
  );
}

const PARTS = ['skill', 'id', 'anchor', 'version', 'alias'] as const;
const sameLink = (a: WikilinkParsed, b: WikilinkParsed): boolean => PARTS.every(part => a[part] === b[part]);
