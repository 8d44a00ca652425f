import type { PageLink, ParsedPage } from '../model.ts';
import { nameBlocks } from './anchors.ts';
import { scanBlocks, type RawBlock, type ScannedBlocks } from './block-scan.ts';
import { frontmatterLinks } from './frontmatter-links.ts';
import { splitHeader, type SplitPage } from './header.ts';
import { lineIndex, lineStarts } from './line-map.ts';
import { scanLinks } from './link-scan.ts';

/** Takes a markdown file apart (E096-E134). Total: no string makes it throw, and its time grows with the length. */
export function parsePage(text: string): ParsedPage {
  const starts = lineStarts(text);
  const split = splitHeader(text, starts);
  const { blocks: raw, code } = scanBody(text, starts, split);
  const blocks = nameBlocks(text, raw);
  const end = split.headerStart + (split.header?.length ?? 0);
  const inHeader = frontmatterLinks(split.frontmatter, { text, starts, start: split.headerStart, end });
  const inBody: PageLink[] = [];
  let block = 0;
  for (const { link, start, end: linkEnd } of scanLinks(text, split.bodyStart, code)) {
    while (block < raw.length && raw[block]!.end <= start) block++;
    const line = lineIndex(starts, start);
    const inside = block < raw.length && raw[block]!.start <= start;
    inBody.push({
      link,
      text: text.slice(start, linkEnd),
      field: null,
      srcAnchor: inside ? blocks[block]!.anchor : null,
      line: line + 1,
      column: start - starts[line]! + 1,
    });
  }
  const links = inHeader.length === 0 ? inBody : [...inHeader, ...inBody];
  return { frontmatter: split.frontmatter, body: split.body, blocks, links, problem: split.problem };
}

/** A closed header that YAML cannot read is one block of the body, so that its fences and keys head nothing (F05). */
function scanBody(text: string, starts: readonly number[], split: SplitPage): ScannedBlocks {
  const { header, headerStart, bodyStart, problem } = split;
  if (problem?.code !== 'malformed_frontmatter' || header === null) {
    return scanBlocks(text, starts, lineIndex(starts, bodyStart), bodyStart);
  }
  const start = headerStart + header.length - header.trimStart().length;
  const end = start + header.trim().length;
  const line = lineIndex(starts, start);
  const block: RawBlock = {
    kind: 'code',
    start,
    end,
    line,
    depth: 0,
    level: 0,
    textStart: start,
    textEnd: end,
    anchor: null,
  };
  const first = lineIndex(starts, headerStart + header.length) + 1;
  const rest = scanBlocks(text, starts, first, starts[first] ?? text.length);
  return { blocks: [block, ...rest.blocks], code: rest.code };
}
