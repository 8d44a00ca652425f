import type { Block } from '../../../pages/model.ts';
import type { BlockText as DocText } from '../../../search/index.ts';
import type { Db } from '../database.ts';
import type { DocWriter } from '../lexical/doc-writer.ts';
import type { Findable, PageWords } from './rows.ts';
import { SLOTS } from './tables.ts';

export interface BlockWriter {
  /**
   * Makes the blocks of a page these ones; `before` is what it was indexed with, undefined for a new page. Blocks that are
   * found by the same words and callers as before are not indexed again. Answers by how many rows the page grew.
   */
  write(pageNo: number, blocks: readonly Block[], found: Findable, before: Findable | undefined): number;
  /** Answers how many rows there were. */
  remove(pageNo: number): number;
}

interface Row {
  block_id: number;
  ord: number;
  anchor: string;
  headings: string;
  content: string;
}

type BlockText = Pick<Row, 'ord' | 'anchor' | 'headings' | 'content'>;

const EMPTY: BlockText = { ord: 0, anchor: '', headings: '[]', content: '' };

export function blockWriter(db: Db, docs: DocWriter): BlockWriter {
  /** Blocks that follow each other are mostly under the same headings. */
  let above = { json: '[]', text: '' };
  const select = db.prepare<[number, number], Row>(
    'SELECT block_id, ord, anchor, headings, content FROM block WHERE block_id >= ? AND block_id < ? ORDER BY ord',
  );
  const insert = db.prepare<[number, number, string, string, string]>(
    'INSERT INTO block (block_id, ord, anchor, headings, content) VALUES (?, ?, ?, ?, ?)',
  );
  const update = db.prepare<[number, string, string, number]>(
    'UPDATE block SET ord = ?, headings = ?, content = ? WHERE block_id = ?',
  );
  const drop = db.prepare<[number]>('DELETE FROM block WHERE block_id = ?');

  function add(id: number, block: BlockText, words: PageWords, reach: Findable['reach']): void {
    insert.run(id, block.ord, block.anchor, block.headings, block.content);
    docs.add(id, textOfDoc(block, words), reach);
  }

  function textOfDoc(block: BlockText, words: PageWords): DocText {
    const first = block.ord === 0;
    if (above.json !== block.headings) {
      above = { json: block.headings, text: (JSON.parse(block.headings) as string[]).join('\n') };
    }
    return {
      title: words.title,
      name: first ? words.name : '',
      description: first ? words.description : '',
      headings: above.text,
      body: block.content,
      language: words.language,
    };
  }

  const rowsOf = (pageNo: number): Row[] => select.all(pageNo * SLOTS, (pageNo + 1) * SLOTS);

  return {
    write(pageNo, blocks, { words, reach }, before) {
      const wanted = blocks.length > 0 ? textsOf(blocks) : [EMPTY];
      if (!before) {
        for (let slot = 0; slot < wanted.length; slot++) add(pageNo * SLOTS + slot, wanted[slot]!, words, reach);
        return wanted.length;
      }
      const present = rowsOf(pageNo);
      const { kept, gone } = match(present, wanted);
      for (const { block_id } of gone) {
        drop.run(block_id);
        docs.remove(block_id);
      }
      const sameReach = before.reach.accessClass === reach.accessClass && before.reach.overlay === reach.overlay;
      const used = new Set(kept.flatMap(row => (row ? [row.block_id - pageNo * SLOTS] : [])));
      let slot = 0;
      for (const [at, block] of wanted.entries()) {
        const old = kept[at];
        if (!old) {
          while (used.has(slot)) slot++;
          add(pageNo * SLOTS + slot++, block, words, reach);
          continue;
        }
        if (!sameText(old, block) || old.ord !== block.ord) {
          update.run(block.ord, block.headings, block.content, old.block_id);
        }
        const text = textOfDoc(block, words);
        if (sameReach && sameWords(textOfDoc(old, before.words), text)) continue;
        docs.put(old.block_id, text, reach);
      }
      return wanted.length - present.length;
    },
    remove(pageNo) {
      const rows = rowsOf(pageNo);
      for (const { block_id } of rows) {
        drop.run(block_id);
        docs.remove(block_id);
      }
      return rows.length;
    },
  };
}

function textsOf(blocks: readonly Block[]): BlockText[] {
  let above: readonly string[] | undefined;
  let headings = '[]';
  return blocks.map((block, ord) => {
    // Blocks below one heading share the list.
    if (block.headings !== above) headings = JSON.stringify(block.headings);
    above = block.headings;
    return { ord, anchor: block.anchor, headings, content: block.content };
  });
}

/** Pairs wanted blocks with rows of the same anchor, in order of appearance. */
function match(present: readonly Row[], wanted: readonly BlockText[]): { kept: (Row | undefined)[]; gone: Row[] } {
  const byAnchor = new Map<string, Row[]>();
  for (const row of present) {
    const same = byAnchor.get(row.anchor);
    if (same) same.push(row);
    else byAnchor.set(row.anchor, [row]);
  }
  const kept = wanted.map(block => byAnchor.get(block.anchor)?.shift());
  return { kept, gone: [...byAnchor.values()].flat() };
}

const sameText = (a: BlockText, b: BlockText): boolean => a.content === b.content && a.headings === b.headings;

const sameWords = (a: DocText, b: DocText): boolean =>
  a.title === b.title &&
  a.name === b.name &&
  a.description === b.description &&
  a.headings === b.headings &&
  a.body === b.body &&
  a.language === b.language;
