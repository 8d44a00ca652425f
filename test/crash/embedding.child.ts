import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { project } from '../../src/pages/index.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage } from '../../src/storage/sqlite/index.ts';
import { EVERYTHING, pageText } from '../search/vector-world.ts';
import { COUNT, embedderOf, POISON, sayingOf } from './embedding-model.ts';

/** Moments of an embedding run: texts are asked for, made, stored; the new model serves; the old one is dropped. */
export const MOMENTS = ['asked', 'made', 'stored', 'serving', 'dropped'] as const;

export interface EmbeddingRun {
  readonly dataDir: string;
  /** A line for each text that is asked for, and for each that is known to be stored. */
  readonly journal: string;
  readonly model: number;
  /** Stay when all is done, until somebody ends the process. */
  readonly stay: boolean;
  readonly killAt: { readonly moment: (typeof MOMENTS)[number]; readonly occurrence: number } | null;
}

if (process.argv[2]) await run(JSON.parse(process.argv[2]) as EmbeddingRun);

async function run({ dataDir, journal, model, stay, killAt }: EmbeddingRun): Promise<void> {
  const lines = openSync(journal, 'a');
  let seen = 0;
  const moment = (name: (typeof MOMENTS)[number]): void => {
    if (killAt?.moment !== name || ++seen < killAt.occurrence) return;
    process.kill(process.pid, 'SIGKILL');
    for (;;); // the signal may take a moment
  };
  const note = (what: 'asked' | 'kept', of: string, texts: readonly string[]): void => {
    for (const text of texts) writeSync(lines, `${JSON.stringify([what, of, text])}\n`);
  };

  function watched(number: number): Embedder {
    const inner = embedderOf(number);
    let before: readonly string[] = [];
    return {
      ...inner,
      async embedTexts(texts, signal) {
        // Whoever asks again has stored what it got before.
        note('kept', inner.space.model, before);
        note('asked', inner.space.model, texts);
        process.stdout.write('embedding\n');
        moment('asked');
        await sleep(10);
        const made = await inner.embedTexts(texts, signal);
        moment('made');
        before = texts;
        return made;
      },
      async close() {
        moment('dropped');
      },
    };
  }

  const storage = await openStorage({
    dataDir,
    project,
    lanes: fileLanes,
    clock: () => new Date(),
    log: pino(
      {},
      { write: (line: string) => void (line.includes('new embedding model answers') && moment('serving')) },
    ),
    vectors: { open: async source => watched(Number(source)), onEmbedded: () => moment('stored') },
  });
  await Promise.all(
    Array.from({ length: COUNT }, async (_, at) => {
      const pageId = `instances/p${at}.md`;
      if (await storage.pages.head(pageId)) return;
      const put = { pageId, base: 0, content: pageText('pump', `p${at}`, sayingOf(at)), author: null, message: null };
      const committedAt = new Date().toISOString();
      await storage.pages.commit({ puts: [{ ...put, origin: 'agent', committedAt }] });
    }),
  );

  /** Pages that another one answers for, or a vector of another model. */
  async function strangers(): Promise<number> {
    let found = 0;
    for (let at = 0; at < COUNT; at += 7) {
      const question = await storage.vectors.lane.question(`pump\n${sayingOf(at)}`);
      const [hit] = question ? await storage.vectors.lane.search(question, EVERYTHING, 1) : [];
      if (hit && (hit.score < 0.99 || !hit.content.includes(sayingOf(at)))) found += 1;
    }
    return found;
  }

  await storage.vectors.resume();
  let wrong = 0;
  let settled = false;
  const isSettled = (): boolean => settled;
  const { lane } = storage.vectors;
  const searching = (async () => {
    // Before all of a first model is there, the best may be another page; what serves has vectors of one model all the while.
    for (; !isSettled(); await sleep(1)) if (lane.state().state === 'ready') wrong += await strangers();
  })();
  await storage.vectors.configure(String(model));
  await storage.vectors.whenSettled();
  if (stay) await searching;
  settled = true;
  await searching;
  wrong += await strangers();
  const { serving, building } = storage.vectors.status();
  const parked = serving!.parked.filter(({ reason }) => reason === POISON).length;
  const left = serving!.total - serving!.done;
  await storage.close();
  process.stdout.write(`${JSON.stringify({ model: serving!.model, building, wrong, parked, left })}\n`);
}
