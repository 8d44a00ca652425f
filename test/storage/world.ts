import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { project } from '../../src/pages/index.ts';
import type { PagePut, Project } from '../../src/pages/ports.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage, type Storage, type StepHook } from '../../src/storage/sqlite/index.ts';

export const NOW = new Date('2026-03-04T05:06:07.890Z');

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [key: string]: unknown;
}

/** A store in a temporary folder. */
export interface World {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly log: readonly LogLine[];
  /** Closes the store and opens the folder again. */
  reopen(changes?: WorldOptions): Promise<World>;
  /** Closes the store and removes the folder. */
  end(): Promise<void>;
}

export interface WorldOptions {
  readonly project?: Project;
  readonly step?: StepHook;
  readonly watch?: boolean;
  readonly threadsFrom?: number;
}

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'cairn-storage-'));

export async function openWorld(options: WorldOptions = {}, dataDir = join(tempFolder(), 'data')): Promise<World> {
  const log: LogLine[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  const storage = await openStorage({
    lanes: fileLanes,
    dataDir,
    project: options.project ?? project,
    clock: () => NOW,
    log: pino({ level: 'debug' }, destination),
    ...(options.step ? { step: options.step } : {}),
    threadsFrom: options.threadsFrom,
    ...(options.watch === undefined ? {} : { watch: options.watch }),
  });
  return {
    dataDir,
    storage,
    log,
    async reopen(changes = options) {
      await storage.close();
      return openWorld(changes, dataDir);
    },
    async end() {
      await storage.close();
      rmSync(join(dataDir, '..'), { recursive: true, force: true });
    },
  };
}

/** A put by an agent, planned on `base`. */
export const put = (pageId: string, content: string, base = 0, changes: Partial<PagePut> = {}): PagePut => ({
  pageId,
  base,
  content,
  author: 'ann',
  origin: 'agent',
  message: null,
  committedAt: NOW.toISOString(),
  ...changes,
});

/** A small instance of skill `note`. */
export const note = (id: string, body: string, header = ''): string =>
  `---\ntype: instance\nskill: note\nid: ${id}\n${header}---\n\n${body}\n`;
