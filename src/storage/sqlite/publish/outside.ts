import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/hash.ts';
import type { Log } from '../../../kernel/log.ts';
import type { PageStore } from '../../../pages/ports.ts';
import type { FileFacts } from '../../../pages/lanes/ports.ts';
import type { PublishRecords } from './records.ts';

/** Larger files are no pages. */
const MAX_BYTES = 32 * 1024 * 1024;
const TRIES = 5;
const MAX_TOLD = 10_000;

/** A file as it was read; its bytes are those that `facts` describe. */
export interface OutsideFile {
  readonly pageId: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
}

export interface OutsideEdits {
  /** Makes a file's bytes the newest version of its page, by `external`; false, with a line in the log, when they cannot be. */
  adopt(file: OutsideFile): Promise<boolean>;
  readable(path: string, facts: FileFacts): boolean;
}

/** Turns files that others changed into versions through the same commit as every write (deviations, "Files changed from outside"). */
export function outsideEdits(store: PageStore, records: PublishRecords, clock: Clock, log: Log): OutsideEdits {
  /** What was said of which file, so that looking at it again says nothing new. */
  const told = new Map<string, string>();

  function skip(path: string, reason: string, facts: FileFacts): false {
    const news = `${reason} ${facts.size} ${facts.mtimeMs}`;
    if (told.get(path) !== news) log.warn({ file: path, reason }, 'outside file skipped');
    if (told.size >= MAX_TOLD) told.clear();
    told.set(path, news);
    return false;
  }

  return {
    readable: (path, facts) => facts.size <= MAX_BYTES || skip(path, `larger than ${MAX_BYTES} bytes`, facts),
    async adopt({ pageId, path, bytes, facts }) {
      if (!isUtf8(bytes)) return skip(path, 'not UTF-8', facts);
      const hash = sha256(bytes);
      const content = Buffer.from(bytes).toString('utf8');
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const base = records.head(pageId)?.version ?? 0;
        const committedAt = clock().toISOString();
        const put = {
          pageId,
          base,
          content,
          author: 'external',
          origin: 'external',
          message: null,
          committedAt,
        } as const;
        const result = await store.commit({ puts: [put] }).catch((error: unknown) => {
          log.error({ err: error, file: path }, 'outside edit could not be committed');
        });
        // A fault of ours must not stop other pages from being published; the next start looks again.
        if (!result) return skip(path, 'it could not be committed', facts);
        if (result.committed) {
          await records.record([{ pageId, published: { version: base + 1, sha256: hash, facts } }]);
          log.info({ page_id: pageId, version: base + 1 }, 'outside edit became a version');
          return true;
        }
        if (result.blocked.length > 0) return skip(path, 'its name is a folder of other pages, or theirs of it', facts);
      }
      return skip(path, 'the page keeps changing', facts);
    },
  };
}
