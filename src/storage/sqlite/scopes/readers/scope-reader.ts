import { join } from 'node:path';
import { buildExport } from '../../../../rules/export/index.ts';
import type { Analysis } from '../../../../rules/search/lexical/index.ts';
import { explained, stageA } from '../../../../rules/search/index.ts';
import { connectToRead } from '../connect.ts';
import { readingsOf } from '../lexical/reading.ts';
import { searchedScopeOf } from '../searched-scope.ts';
import { snapshotReader } from '../snapshot.ts';
import type { ScopeAnswer, ScopeQuestion } from './messages.ts';

export interface ScopeReader {
  /** What the question is about is read at one moment. One at a time. */
  answer(question: ScopeQuestion): Promise<ScopeAnswer>;
}

/** A scope on a connection that can only read. Throws when its file cannot be read. */
export function openScopeReader(folder: string, scope: string, analysis: Analysis): ScopeReader {
  const db = connectToRead(join(folder, `${scope}.sqlite`));
  const search = searchedScopeOf(db, readingsOf(db, analysis));
  const snapshot = snapshotReader(db);

  async function read(question: ScopeQuestion): Promise<ScopeAnswer> {
    switch (question.kind) {
      case 'lexical':
        return stageA(search.now(), question.asked);
      case 'evidence': {
        const { read: before, heads } = question.asked;
        return explained(search.as(before.build), before.query, heads);
      }
      case 'export':
        return buildExport(snapshot(scope), question.asked);
    }
  }

  return {
    async answer(question) {
      db.exec('BEGIN');
      try {
        return await read(question);
      } finally {
        db.exec('COMMIT');
      }
    },
  };
}
