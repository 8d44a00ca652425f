import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { project } from '../../src/pages/index.ts';
import type { PagePut } from '../../src/pages/ports.ts';
import type { LaneFilter } from '../../src/search/ports.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { openStorage, type Storage } from '../../src/storage/sqlite/index.ts';
import type { OpenEmbedder } from '../../src/storage/sqlite/vectors/vectors.ts';

export interface VectorWorld {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly log: readonly Record<string, unknown>[];
  /** Texts given to embedders so far, all opens together. */
  readonly embedded: () => number;
  put(pageId: string, text: string, changes?: Partial<PagePut>): Promise<void>;
  find(text: string, filter?: Partial<LaneFilter>, limit?: number): Promise<{ pageId: string; score: number }[]>;
  reopen(): Promise<VectorWorld>;
  end(): Promise<void>;
}

export const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

export type Opens = Readonly<Record<string, () => Promise<Embedder | null> | Embedder | null>>;

/** Spelling again, in a space of its own: model `name`, numbers turned round. */
export function otherEmbedder(name: string, changes: Partial<Embedder> = {}): Embedder {
  const hash = hashEmbedder();
  return {
    space: { ...hash.space, model: name },
    embedQuery: async text => (await hash.embedQuery(text)).map(value => -value),
    async embedTexts(texts) {
      const made = await hash.embedTexts(texts);
      return made.map(one => ('vector' in one ? { vector: one.vector.map(value => -value) } : one));
    },
    close: async () => undefined,
    ...changes,
  };
}

/** A page with the name of its skill as title. */
export const pageText = (skill: string, id: string, text: string, header = ''): string =>
  `---\ntype: instance\nskill: ${skill}\nid: ${id}\ntitle: ${skill}\n${header}---\n${text}\n`;

/** A store with a vector lane; `opens` says what each source opens, unless `open` does. Nothing is configured yet. */
export async function openVectorWorld(
  opens: Opens,
  dataDir = join(mkdtempSync(join(tmpdir(), 'cairn-vectors-')), 'data'),
  open: OpenEmbedder = async source => (await opens[source]?.()) ?? null,
  threadsFrom?: number,
): Promise<VectorWorld> {
  const log: Record<string, unknown>[] = [];
  let embedded = 0;
  const versions = new Map<string, number>();
  const storage = await openStorage({
    lanes: fileLanes,
    dataDir,
    project,
    clock: () => new Date('2026-03-04T05:06:07.890Z'),
    log: pino(
      { level: 'debug' },
      { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    vectors: {
      open: async (source, tools) => counted(await open(source, tools), count => (embedded += count)),
      threadsFrom,
    },
  });
  return {
    dataDir,
    storage,
    log,
    embedded: () => embedded,
    async put(pageId, text, changes = {}) {
      const base = versions.get(pageId) ?? (await storage.pages.head(pageId))?.version ?? 0;
      const put = {
        pageId,
        base,
        content: text,
        author: null,
        origin: 'agent',
        message: null,
        committedAt: '2026-03-04T05:06:07.890Z',
      } as const;
      const done = await storage.pages.commit({ puts: [{ ...put, ...changes }] });
      if (!done.committed) throw new Error(`stale: ${pageId}`);
      versions.set(pageId, done.versions.get(pageId)!);
    },
    async find(text, filter = {}, limit = 10) {
      const question = await storage.vectors.lane.question(text);
      if (!question) return [];
      const hits = await storage.vectors.lane.search(question, { ...EVERYTHING, ...filter }, limit);
      return hits.map(({ pageId, score }) => ({ pageId, score }));
    },
    async reopen() {
      await storage.close();
      return openVectorWorld(opens, dataDir, open, threadsFrom);
    },
    async end() {
      await storage.close();
      rmSync(join(dataDir, '..'), { recursive: true, force: true });
    },
  };
}

function counted(embedder: Embedder | null, count: (texts: number) => void): Embedder | null {
  return (
    embedder && {
      ...embedder,
      embedTexts(texts, signal) {
        count(texts.length);
        return embedder.embedTexts(texts, signal);
      },
    }
  );
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5));
}
