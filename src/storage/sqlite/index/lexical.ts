import type { LexicalLane } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { lexicalReader } from '../lexical/lexical-reader.ts';
import type { IndexFill } from './fill.ts';
import type { IndexWriter } from './index-writer.ts';

/** Blocks by their words, on the writer's own connection; waits while the fill has rows to bring. */
export function lexicalLane(db: Db, writer: IndexWriter, fill: IndexFill): LexicalLane {
  const reader = lexicalReader(db);
  let rollbacks = writer.rollbacks();

  const ask: LexicalLane['ask'] = async (question, filter, limit) => {
    if (!fill.complete()) await fill.whenComplete;
    if (rollbacks !== writer.rollbacks()) {
      rollbacks = writer.rollbacks();
      reader.reset();
    }
    return reader.ask(question, filter, limit);
  };
  return {
    ask,
    async search(terms, filter, limit) {
      const text = terms.map(term => term.words.join('-')).join(' ');
      return (await ask({ text }, filter, limit)).hits.map(({ pageId, anchor, content, score }) => ({
        pageId,
        anchor,
        content,
        score,
      }));
    },
  };
}
