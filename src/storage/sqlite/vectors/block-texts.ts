import { hash } from 'node:crypto';
import { passageOf } from '../../../search/vectors/index.ts';
import type { Db } from '../database.ts';
import { SLOTS } from '../index/tables.ts';
import type { PageFactsRow } from './page-facts.ts';

export interface BlockText {
  readonly slot: number;
  /** `page_id#anchor`, for people. */
  readonly block: string;
  readonly text: string;
  readonly hash: Buffer;
}

export interface PageTexts {
  readonly facts: PageFactsRow;
  /** Blocks that say something. */
  readonly blocks: readonly BlockText[];
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
      const texts = rows.map(({ block_id, anchor, headings, content }) => {
        const above = headings === '[]' ? [] : (JSON.parse(headings) as string[]);
        const text = passageOf(content === '' ? facts.title : titleOf(facts), above, content);
        return { slot: block_id - pageNo * SLOTS, block: `${facts.page_id}#${anchor}`, text, hash: hashOf(text) };
      });
      return { facts, blocks: texts.filter(({ text }) => text !== '') };
    },
    pagesAfter: (pageNo, limit) => after.all(pageNo, limit),
  };
}

/** A title that is only the name of the file is no text: before a passage it would move its vector for nothing. */
const titleOf = ({ page_id, title }: PageRow): string => (page_id.endsWith(`/${title}.md`) ? '' : title);

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, 16);
