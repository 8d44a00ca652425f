import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../../kernel/hash.ts';
import type { Log } from '../../../kernel/log.ts';
import { fileOfPage, sameFacts } from '../../../pages/lanes/index.ts';
import type { FileFacts, FileLane, FileWrite } from '../../../pages/lanes/ports.ts';
import { saysArchived } from '../watch/archived-text.ts';
import { REST_MS, restsIn } from './at-rest.ts';
import type { OutsideEdits } from './outside.ts';
import { isWithoutFile, type Head, type Published, type PublishRecords } from './records.ts';

/** How long a file that keeps changing is waited for. */
const PATIENCE_MS = 3000;
/** Texts of about so many characters are written together. */
const CHARS_AT_ONCE = 16 * 1024 * 1024;

export interface PagePublisher {
  /** Brings the files of these pages to their newest durable version. Throws when the lane fails for now. */
  publish(pageIds: readonly string[]): Promise<void>;
  /** Writes the file of a page that has none; false when it needs nothing or cannot be done. */
  restore(pageId: string): Promise<boolean>;
  /** Looks at one file that is not as it was published: ours from before a crash, or an edit from outside. */
  settle(pageId: string, path: string): Promise<Settled>;
}

/** `ours`: the file holds, or now holds, the newest version. `skipped`: it cannot become a page and was left alone. */
export type Settled = 'ours' | 'edited' | 'created' | 'skipped' | 'absent';

export interface PagePublisherParts {
  readonly lane: FileLane;
  readonly records: PublishRecords;
  readonly outside: OutsideEdits;
  /** The newest commit that a power cut cannot take; younger ones must not get out. */
  readonly durableSeq: () => number;
  readonly log: Log;
}

interface Due {
  readonly pageId: string;
  readonly path: string;
  readonly head: Head;
  /** What the file must still be to be written over. */
  readonly over: FileFacts | null;
}

export function pagePublisher({ lane, records, outside, durableSeq, log }: PagePublisherParts): PagePublisher {
  function dueOver(pageId: string, over: FileFacts | null, head = records.head(pageId)): Due[] {
    // A head that is not durable yet has an outbox row of its own.
    return head && head.seq <= durableSeq() ? [{ pageId, path: fileOfPage(pageId), head, over }] : [];
  }

  function dueOf(pageId: string): Due[] {
    const published = records.published(pageId);
    const head = records.head(pageId);
    if ((!published && isWithoutFile(head)) || head?.sha256 === published?.sha256) return [];
    return dueOver(pageId, published?.facts ?? null, head);
  }

  /** Writes what is as expected; answers the pages whose file is something else. */
  async function write(due: readonly Due[]): Promise<Due[]> {
    const changed: Due[] = [];
    for (let from = 0; from < due.length;) {
      const batch = withTexts(due, from);
      changed.push(...(await writeBatch(due.slice(from, from + batch.length), batch)));
      from += batch.length;
    }
    return changed;
  }

  /** The next of them that fit into memory together, at least one. */
  function withTexts(due: readonly Due[], from: number): FileWrite[] {
    return records.together(() => {
      const batch: FileWrite[] = [];
      let chars = 0;
      for (let at = from; at < due.length && chars < CHARS_AT_ONCE; at++) {
        const { pageId, path, head, over } = due[at]!;
        const data = records.content(pageId, head.version);
        chars += data.length;
        batch.push({ path, over, data });
      }
      return batch;
    });
  }

  async function writeBatch(due: readonly Due[], batch: readonly FileWrite[]): Promise<Due[]> {
    const written = await lane.write(batch);
    const done: { pageId: string; published: Published }[] = [];
    const changed: Due[] = [];
    let failure: string | undefined;
    for (const [at, outcome] of written.entries()) {
      const page = due[at]!;
      if ('facts' in outcome) {
        const { version, sha256: hash } = page.head;
        done.push({ pageId: page.pageId, published: { version, sha256: hash, facts: outcome.facts } });
      } else if ('changed' in outcome) changed.push(page);
      else if (outcome.problem.kind === 'failed') failure = outcome.problem.message;
      else log.error({ page_id: page.pageId, reason: outcome.problem.message }, 'page cannot be published as a file');
    }
    if (done.length > 0) await records.record(done);
    if (failure !== undefined) throw new Error(`pages cannot be published: ${failure}`);
    return changed;
  }

  async function settle(pageId: string, path: string): Promise<Settled> {
    const until = Date.now() + PATIENCE_MS;
    for (let before: FileFacts | undefined; ;) {
      const facts = await lane.stat(path);
      if (!facts) return 'absent';
      if (!outside.readable(path, facts)) return 'skipped';
      const bytes = await lane.read(path);
      const whole = bytes !== undefined && sameFacts(await lane.stat(path), facts);
      const claimed = whole ? await claim(pageId, sha256(bytes), facts, bytes) : undefined;
      if (claimed) return claimed;
      const wait = restsIn(facts, before);
      if (whole && wait <= 0) return adopt(pageId, path, facts, bytes);
      if (Date.now() > until) {
        log.warn({ file: path }, 'file keeps changing, left for the next look');
        return 'skipped';
      }
      before = facts;
      await sleep(whole ? wait : REST_MS);
    }
  }

  /** Bytes that are ours, whoever touched the file: those of the newest version, or of one that a crash kept from the record. */
  async function claim(
    pageId: string,
    hash: string,
    facts: FileFacts,
    bytes: Uint8Array,
  ): Promise<Settled | undefined> {
    const head = records.head(pageId);
    const published = records.published(pageId);
    const gone = !published && isWithoutFile(head);
    if (!head || (gone && (hash !== head.sha256 || !saysArchived(bytes)))) return undefined;
    if (hash === head.sha256) {
      await records.record([{ pageId, published: { version: head.version, sha256: hash, facts } }]);
      return 'ours';
    }
    // A version that is not older than the recorded file: published before a crash, recorded never.
    if (!records.wrote(pageId, published?.version ?? 1, hash)) return undefined;
    const [changed] = await write(dueOver(pageId, facts));
    return changed ? 'skipped' : 'ours';
  }

  async function adopt(pageId: string, path: string, facts: FileFacts, bytes: Uint8Array): Promise<Settled> {
    const known = records.head(pageId) !== undefined;
    if (!(await outside.adopt({ pageId, path, bytes, facts }))) return 'skipped';
    return known ? 'edited' : 'created';
  }

  async function restore(pageId: string): Promise<boolean> {
    const path = fileOfPage(pageId);
    if (isWithoutFile(records.head(pageId)) || (await lane.stat(path))) return false;
    const due = dueOver(pageId, null);
    const inTheWay = await write(due);
    if (inTheWay.length > 0)
      log.error({ page_id: pageId, file: path }, 'page cannot be published: no file stands there');
    return due.length > 0 && inTheWay.length === 0;
  }

  return {
    async publish(pageIds) {
      const changed = await write(records.together(() => pageIds.flatMap(dueOf)));
      for (const { pageId, path } of changed) {
        const absent = (await settle(pageId, path)) === 'absent';
        // Who archived the page need not hear that somebody took its file away.
        if (absent && records.head(pageId)?.archived === false) await restore(pageId);
      }
    },
    restore,
    settle,
  };
}
