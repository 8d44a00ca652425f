import { hash } from 'node:crypto';
import { passagesOf } from '../../../search/vectors/index.ts';
import type { Db } from '../database.ts';
import { SLOTS } from '../index/tables.ts';
import type { PageFactsRow } from './page-facts.ts';

/** One text of a block: a long block has several. */
export interface BlockText {
  readonly slot: number;
  /** Whether it is the block as a whole; the texts of a block stand one behind the other, this one first. */
  readonly whole: boolean;
  /** `page_id#anchor`, for people. */
  readonly block: string;
  readonly text: string;
  readonly hash: Buffer;
}

export interface PageTexts {
  readonly facts: PageFactsRow;
  readonly texts: readonly BlockText[];
}

export interface BlockTexts {
  /** Undefined when there is no such page. */
  of(page: number): PageTexts | undefined;
  /** Page numbers after that one, ascending. */
  pagesAfter(page: number, limit: number): readonly number[];
}

type PageRow = PageFactsRow & { readonly page_id: string; readonly title: string };
interface BlockRow {
  readonly block_id: number;
  readonly anchor: string;
  readonly headings: string;
  readonly content: string;
}

/** What of index.sqlite is embedded. */
export function blockTexts(index: Db): BlockTexts {
  const page = index.prepare<[number], PageRow>(
    'SELECT page_id, title, access_class, page_type, skill, at, scenario FROM page WHERE page_no = ?',
  );
  const blocks = index.prepare<[number, number], BlockRow>(
    'SELECT block_id, anchor, headings, content FROM block WHERE block_id >= ? AND block_id < ?',
  );
  const after = index
    .prepare<[number, number], number>('SELECT page_no FROM page WHERE page_no > ? ORDER BY page_no LIMIT ?')
    .pluck();
  return {
    of(pageNo) {
      const facts = page.get(pageNo);
      if (!facts) return undefined;
      const rows = blocks.all(pageNo * SLOTS, (pageNo + 1) * SLOTS);
      const all = rows.flatMap(({ block_id, anchor, headings, content }) => {
        const above = headings === '[]' ? [] : (JSON.parse(headings) as string[]);
        const passages = passagesOf(content === '' ? facts.title : titleOf(facts), above, content);
        const block = `${facts.page_id}#${anchor}`;
        const slot = block_id - pageNo * SLOTS;
        return passages.map((text, part) => ({ slot, whole: part === 0, block, text, hash: hashOf(text) }));
      });
      return { facts, texts: all };
    },
    pagesAfter: (pageNo, limit) => after.all(pageNo, limit),
  };
}

/** A title that is only the name of the file is no text: before a passage it would move its vector for nothing. */
const titleOf = ({ page_id, title }: PageRow): string => (page_id.endsWith(`/${title}.md`) ? '' : title);

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, 16);
