import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { LexicalAnswer } from '../../src/search/ports.ts';
import type { Progress } from '../../src/storage/sqlite/index/progress.ts';
import { pooledLane } from '../../src/storage/sqlite/readers/pooled-lane.ts';
import { readerPool } from '../../src/storage/sqlite/readers/reader-pool.ts';
import { note, openWorld, put } from '../storage/world.ts';
import { EVERYTHING, words } from './lanes.ts';

const NOTHING: LexicalAnswer = { hits: [], words: [], language: null, corrections: [], synonyms: [] };

/** A thread that answers when it is told to. */
function slowThread() {
  const asked: string[] = [];
  const pending: (() => void)[] = [];
  return {
    asked,
    /** Answers the question asked first. */
    async finish() {
      pending.shift()?.();
      await new Promise(setImmediate);
    },
    thread: {
      ask: ({ question }: { question: { text: string } }) => {
        asked.push(question.text);
        return new Promise<LexicalAnswer>(resolve =>
          pending.push(() => resolve({ ...NOTHING, words: [question.text] })),
        );
      },
      stop: async () => undefined,
    },
  };
}
const asked = (text: string) => ({ question: { text }, filter: EVERYTHING, limit: 1 });

describe('threads that read', () => {
  test('[SR16] a thread has one question at a time, the others wait in order', async () => {
    const slow = slowThread();
    const pool = readerPool({ threads: [slow.thread], mostWaiting: 5 });
    const answers = ['a', 'b', 'c'].map(text => pool.ask(asked(text)));
    expect(slow.asked).toEqual(['a']);
    for (let turn = 0; turn < 3; turn += 1) await slow.finish();
    expect(slow.asked).toEqual(['a', 'b', 'c']);
    expect((await Promise.all(answers)).map(answer => answer.words)).toEqual([['a'], ['b'], ['c']]);
  });

  test('[SR16] when too many wait a search is refused with a code, and served again later', async () => {
    const slow = slowThread();
    const pool = readerPool({ threads: [slow.thread], mostWaiting: 1 });
    const [first, second] = [pool.ask(asked('a')), pool.ask(asked('b'))];
    await expect(pool.ask(asked('c'))).rejects.toMatchObject({ name: 'Failure', code: 'overloaded' });
    await slow.finish();
    const third = pool.ask(asked('d'));
    await slow.finish();
    await slow.finish();
    expect((await Promise.all([first, second, third])).map(answer => answer.words[0])).toEqual(['a', 'b', 'd']);
  });

  test('[SR16] a search that is called off while it waits is never asked; one under way is dropped', async () => {
    const slow = slowThread();
    const pool = readerPool({ threads: [slow.thread], mostWaiting: 5 });
    const [under, waiting, gone] = [
      new AbortController(),
      new AbortController(),
      AbortSignal.abort(new Error('before')),
    ];
    const running = pool.ask(asked('a'), under.signal);
    const queued = pool.ask(asked('b'), waiting.signal);
    await expect(pool.ask(asked('c'), gone)).rejects.toThrow('before');
    waiting.abort(new Error('waiting'));
    await expect(queued).rejects.toThrow('waiting');
    under.abort(new Error('under way'));
    await Promise.all([expect(running).rejects.toThrow('under way'), slow.finish()]);
    expect(slow.asked).toEqual(['a']);
  });

  test('[SR16] a thread that fails fails its question alone', async () => {
    let fails = true;
    const thread = {
      ask: () => (fails ? Promise.reject(new Error('ended')) : Promise.resolve(NOTHING)),
      stop: async () => undefined,
    };
    const pool = readerPool({ threads: [thread], mostWaiting: 5 });
    await expect(pool.ask(asked('a'))).rejects.toThrow('ended');
    fails = false;
    expect(await pool.ask(asked('b'))).toEqual(NOTHING);
  });

  test('[SR15] when a thread fails the search is answered without it', async () => {
    const logged: string[] = [];
    const here = words([{ pageId: 'a' }]);
    const { lane, stop } = pooledLane({
      here,
      writer: { progress: () => ({ blocks: 9 }) as Progress, flush: () => undefined },
      fill: { complete: () => true, whenComplete: Promise.resolve() },
      path: '/nowhere/index.sqlite',
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
      from: 0,
    });
    const answer = await lane.ask({ text: 'x' }, EVERYTHING, 1);
    expect(answer.hits.map(({ pageId }) => pageId)).toEqual(['a']);
    expect(logged).toHaveLength(1);
    await stop();
    await lane.ask({ text: 'x' }, EVERYTHING, 1);
    expect(logged).toHaveLength(1);
  });

  test('[SR15] a page that is acknowledged is found by the next search on a thread, and as by a search without', async () => {
    const world = await openWorld({ threadsFrom: 0 });
    try {
      const { pages, lexical } = world.storage;
      const find = async (text: string): Promise<string[]> =>
        (await lexical.ask({ text }, EVERYTHING, 10)).hits.map(({ pageId }) => pageId);
      for (let at = 0; at < 20; at += 1) {
        const id = `markdown/instances/note/n${at}.md`;
        await pages.commit({ puts: [put(id, note(`n${at}`, `Der Etikettensensor zeigt den Wert wort${at}x an.`))] });
        expect(await find(`wort${at}x`)).toEqual([id]);
      }
      const whole = await lexical.ask({ text: 'Etikettensensoren wort7x' }, EVERYTHING, 5);
      const other = await openWorld({}, world.dataDir.replace(/data$/u, 'other'));
      try {
        for (let at = 0; at < 20; at += 1) {
          const id = `markdown/instances/note/n${at}.md`;
          const text = note(`n${at}`, `Der Etikettensensor zeigt den Wert wort${at}x an.`);
          await other.storage.pages.commit({ puts: [put(id, text)] });
        }
        expect(await other.storage.lexical.ask({ text: 'Etikettensensoren wort7x' }, EVERYTHING, 5)).toEqual(whole);
      } finally {
        await other.storage.close();
      }
      expect(world.log.filter(({ level }) => level >= 50)).toEqual([]);
    } finally {
      await world.end();
    }
  });
});
