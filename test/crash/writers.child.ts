import Database from 'better-sqlite3';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage, type Step } from '../../src/storage/sqlite/index.ts';
import { createLog } from '../../src/kernel/log.ts';
import { PAGES, textOf } from './pages.ts';

/** What one run of the writers does. */
export interface Run {
  readonly dataDir: string;
  /** Each acknowledged version gets a line here, after its promise resolved. */
  readonly acknowledgements: string;
  readonly writers: number;
  /** Commits a writer makes before it stops; the process then closes the store and ends. */
  readonly commits: number;
  /** Ends the process at the given occurrence of a step, counted from 1. */
  readonly killAt: { readonly step: Step; readonly occurrence: number } | null;
  /** Commits of one writer between two checkpoints that a connection of its own makes, so that the WAL starts over often. */
  readonly checkpointEvery?: number;
}

if (process.argv[2]) await run(JSON.parse(process.argv[2]) as Run);

async function run({ dataDir, acknowledgements, writers, commits, killAt, checkpointEvery }: Run): Promise<void> {
  const acks = openSync(acknowledgements, 'a');
  let seen = 0;
  let told = false;
  const step = (name: Step): void => {
    if (killAt?.step !== name) return;
    seen += 1;
    if (seen < killAt.occurrence) return;
    process.kill(process.pid, 'SIGKILL');
    for (;;); // the signal may take a moment
  };
  const log = createLog({ level: 'fatal', env: 'test', version: '0' });
  const storage = await openStorage({ dataDir, project, lanes: fileLanes, clock: () => new Date(), log, step });
  const others = checkpointEvery ? ['state', 'index'].map(name => new Database(join(dataDir, `${name}.sqlite`))) : [];
  process.stdout.write('open\n');

  /** Some pages are shared between writers, so that some commits lose. */
  async function writer(number: number): Promise<void> {
    for (let n = 0; n < commits; n++) {
      const pageId = PAGES[(number * 3 + n * 5 + (n >> 2)) % PAGES.length]!;
      const base = (await storage.pages.head(pageId))?.version ?? 0;
      const content = textOf(pageId, base + 1);
      const put = { pageId, base, content, author: `writer ${number}`, origin: 'agent' as const, message: null };
      const result = await storage.pages.commit({ puts: [{ ...put, committedAt: new Date().toISOString() }] });
      if (checkpointEvery && number === 0 && n % checkpointEvery === 0)
        for (const db of others) db.pragma('wal_checkpoint(PASSIVE)');
      if (!result.committed) continue;
      writeSync(acks, `${pageId} ${base + 1}\n`);
      if (!told) process.stdout.write('acknowledged\n');
      told = true;
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
  await storage.whenDrained();
  for (const db of others) db.close();
  await storage.close();
}
