import { openSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { project } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage } from '../../src/storage/sqlite/index.ts';
import { pageText } from '../search/vector-world.ts';
import { embedderOf } from './embedding-model.ts';

export interface ModelCrashRun {
  readonly dataDir: string;
  /** A line for each batch that is asked for. */
  readonly journal: string;
  /** A text that says so ends the process, as a fault in a model's native code does. */
  readonly deadly: string;
  readonly sayings: readonly string[];
}

if (process.argv[2]) await run(JSON.parse(process.argv[2]) as ModelCrashRun);

async function run({ dataDir, journal, deadly, sayings }: ModelCrashRun): Promise<void> {
  const lines = openSync(journal, 'a');
  const inner = embedderOf(0);
  const storage = await openStorage({
    dataDir,
    project,
    lanes: fileLanes,
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
    vectors: {
      open: async () => ({
        ...inner,
        inProcess: true,
        async embedTexts(texts, signal) {
          writeSync(lines, `${JSON.stringify(texts)}\n`);
          if (texts.some(text => text.includes(deadly))) {
            process.kill(process.pid, 'SIGKILL');
            for (;;); // the signal may take a moment
          }
          return inner.embedTexts(texts, signal);
        },
      }),
    },
  });
  const committedAt = new Date().toISOString();
  const puts = sayings.map((saying, at) => ({
    pageId: `instances/p${at}.md`,
    base: 0,
    content: pageText('pump', `p${at}`, saying),
    author: null,
    origin: 'agent' as const,
    message: null,
    committedAt,
  }));
  if (!(await storage.pages.head(puts[0]!.pageId))) await storage.pages.commit({ puts });
  await storage.vectors.configure('model');
  await storage.vectors.whenSettled();
  const { done, total, parked } = storage.vectors.status().serving!;
  await storage.close();
  process.stdout.write(`${JSON.stringify({ done, total, parked })}\n`);
}
