import type { Log } from '../../../kernel/log.ts';
import type { PageIndex, Project } from '../../../pages/ports.ts';
import type { LexicalLane } from '../../../search/ports.ts';
import type { Db } from '../database.ts';
import { pooledLane } from '../readers/pooled-lane.ts';
import type { GroupCommit } from '../state/group-commit.ts';
import type { StepHook } from '../steps.ts';
import { startFill } from './fill.ts';
import { indexWriter, type IndexWriter } from './index-writer.ts';
import { lexicalLane } from './lexical.ts';
import { openIndex } from './open-index.ts';
import { pageIndex } from './page-index.ts';
import type { Derived } from './rows.ts';
import { addSqlFunctions } from './sql-functions.ts';
import { newestVersions, type NewestVersions } from './versions.ts';

export interface DerivedStore {
  readonly db: Db;
  readonly writer: IndexWriter;
  readonly versions: NewestVersions;
  /** The newest commit of state.sqlite. */
  newestSeq(): number;
  /** Versions written but not durable yet, until they are taken or forgotten. */
  add(derived: Derived): void;
  take(): readonly Derived[];
  forget(): void;
  apply(batch: readonly Derived[], durableSeq: number): void;
  flush(): void;
  atRest: IndexWriter['atRest'];
  /** Brings the index up to date and hands out its reads. */
  serve(group: GroupCommit): ServedIndex;
  close(): void;
}

export interface ServedIndex {
  readonly pages: PageIndex;
  readonly lexical: LexicalLane;
  complete(): boolean;
  /** Resolves when the index has rows for all pages. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface DerivedParts {
  readonly state: Db;
  readonly project: Project;
  readonly step: StepHook;
  readonly log: Log;
  /** Called after each commit of index.sqlite. */
  readonly onFlushed: (db: Db) => void;
  /** Blocks from which on threads answer searches; as `pooledLane` thinks where it is not given. */
  readonly threadsFrom?: number | undefined;
}

/** index.sqlite with its one writer. */
export function openDerived(path: string, parts: DerivedParts): DerivedStore {
  const { state, project, step, log, onFlushed, threadsFrom } = parts;
  const versions = newestVersions(state, project, log);
  const db = openIndex(path, versions.shaAt, log);
  addSqlFunctions(db);
  const writer = indexWriter(db, { versions, step, log, onFlushed: () => onFlushed(db) });
  let waiting: Derived[] = [];
  return {
    db,
    writer,
    versions,
    newestSeq: versions.newestSeq,
    add: derived => void waiting.push(derived),
    take: () => waiting.splice(0),
    forget() {
      waiting = [];
    },
    apply: writer.apply,
    flush: writer.flush,
    atRest: writer.atRest,
    serve(group) {
      const fill = startFill({ writer, versions, group, durableSeq: versions.newestSeq(), log });
      const here = lexicalLane(db, writer, fill);
      const { lane, stop } = pooledLane({ here, writer, fill, path, log, from: threadsFrom });
      return {
        pages: pageIndex(db, writer, fill),
        lexical: lane,
        complete: fill.complete,
        ready: () => fill.whenComplete,
        async stop() {
          await fill.stop();
          await stop();
        },
      };
    },
    close() {
      writer.flush();
      db.close();
    },
  };
}
