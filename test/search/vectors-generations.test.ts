import { afterEach, expect, test } from 'vitest';
import { EmbedderFault } from '../../src/search/vectors/index.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { openVectorWorld, otherEmbedder, pageText, until, type Opens, type VectorWorld } from './vector-world.ts';

let world: VectorWorld;

afterEach(() => world?.end());

async function opened(opens: Opens): Promise<VectorWorld> {
  world = await openVectorWorld(opens);
  return world;
}

const put = (id: string, text: string): Promise<void> => world.put(`instances/${id}.md`, pageText('pump', id, text));

/** An embedder that takes a text only when it is let through. */
function gated(name: string): { embedder: Embedder; open(): void } {
  let open = (): void => undefined;
  const letThrough = new Promise<void>(resolve => {
    open = resolve;
  });
  const inner = otherEmbedder(name);
  const embedTexts: Embedder['embedTexts'] = async texts => {
    await letThrough;
    return inner.embedTexts(texts);
  };
  return { embedder: { ...inner, embedTexts }, open };
}

test('[VL5] the old model answers until the new one has everything, and then it goes', async () => {
  const slow = gated('new');
  let closed = 0;
  await opened({
    old: () => otherEmbedder('old', { close: async () => void (closed += 1) }),
    new: () => slow.embedder,
  });
  await world.storage.vectors.configure('old');
  for (let at = 0; at < 30; at++) await put(`p${at}`, `number ${at} of the old ones`);
  await world.storage.vectors.whenSettled();
  await world.storage.vectors.configure('new');
  const { lane, status } = world.storage.vectors;
  let searches = 0;
  let done = false;
  const isDone = (): boolean => done;
  const searching = (async () => {
    for (; !isDone();) {
      const id = searches % 30;
      const hits = await world.find(`number ${id} of the old ones`, {}, 1);
      // A question that met vectors of the other model would be as far away as can be.
      expect(hits).toHaveLength(1);
      expect(hits[0]!.score).toBeGreaterThan(0.9);
      searches += 1;
      await new Promise(setImmediate);
    }
  })();
  await put('late', 'number 31 came late');
  await until(() => searches > 20);
  expect(lane.state().serving!.model).toBe('old');
  expect(status().building).toMatchObject({ model: 'new', done: 0 });
  slow.open();
  await until(() => lane.state().serving!.model === 'new');
  const seen = searches;
  await until(() => searches > seen + 20);
  done = true;
  await searching;
  await world.storage.vectors.whenSettled();
  expect(closed).toBe(1);
  expect(status()).toMatchObject({ building: null, serving: { model: 'new', done: 31, total: 31 } });
  expect((await world.find('number 31 came late', {}, 1))[0]!.score).toBeGreaterThan(0.9);
});

test('[VL5] a question that was asked of the old model is answered by the new one', async () => {
  await opened({ old: () => otherEmbedder('old'), hash: hashEmbedder });
  await world.storage.vectors.configure('old');
  await put('a', 'rubber ring');
  await world.storage.vectors.whenSettled();
  const { lane } = world.storage.vectors;
  const question = (await lane.question('rubber ring'))!;
  await world.storage.vectors.configure('hash');
  await until(() => lane.state().serving!.model === 'hash');
  expect(await world.find('rubber ring')).toHaveLength(1);
  const everything = {
    scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
    pageType: null,
    skill: null,
  } as const;
  const [hit] = await lane.search(
    question,
    { ...everything, pageId: null, asOf: null, scenario: null, clauses: [] },
    1,
  );
  expect(hit!.score).toBeGreaterThan(0.7);
});

test('[VL5] a generation that was filling up at the end goes on after a restart; changing back drops it', async () => {
  const slow = gated('new');
  const opens = { old: () => otherEmbedder('old'), new: () => slow.embedder };
  await opened(opens);
  await world.storage.vectors.configure('old');
  await put('a', 'rubber ring');
  await world.storage.vectors.whenSettled();
  await world.storage.vectors.configure('new');
  slow.open();
  world = await world.reopen();
  await world.storage.vectors.configure('new');
  await until(() => world.storage.vectors.lane.state().serving?.model === 'new');
  await world.storage.vectors.configure('old');
  await world.storage.vectors.configure('new');
  await world.storage.vectors.whenSettled();
  expect(world.storage.vectors.status()).toMatchObject({ building: null, serving: { model: 'new' } });
});

/** Breaks down on a word, as a thread that runs out of memory does. */
function fragile(word: string): Embedder {
  const inner = otherEmbedder('fragile');
  return {
    ...inner,
    async embedTexts(texts) {
      if (texts.some(text => text.includes(word))) throw new EmbedderFault('the thread ended');
      return inner.embedTexts(texts);
    },
  };
}

test('[VL6] a text that ends the embedder is found, parked and named; the others get their vectors', async () => {
  await opened({ fragile: () => fragile('poison') });
  await world.storage.vectors.configure('fragile');
  for (let at = 0; at < 20; at++) await put(`p${at}`, at === 7 ? 'a poison text' : `number ${at}`);
  await world.storage.vectors.whenSettled();
  const { serving } = world.storage.vectors.status();
  expect(serving).toMatchObject({ done: 20, total: 20, trouble: null });
  expect(serving!.parked).toEqual([
    { block: expect.stringMatching(/^instances\/p7\.md#/), reason: 'the thread ended' },
  ]);
  expect(world.log.some(line => line['msg'] === 'a text cannot be embedded, it is left out')).toBe(true);
  expect(await world.find('number 3', {}, 100)).toHaveLength(19);
});

test('[VL6] a parked text is tried again when the embedder is loaded anew', async () => {
  let poison = true;
  const inner = otherEmbedder('picky');
  const picky: Embedder = {
    ...inner,
    embedTexts: async texts =>
      (await inner.embedTexts(texts)).map((one, at) =>
        poison && texts[at]!.includes('bad') ? { poison: 'too bad' } : one,
      ),
  };
  await opened({ picky: () => picky });
  await world.storage.vectors.configure('picky');
  await put('a', 'a bad text');
  await world.storage.vectors.whenSettled();
  expect(world.storage.vectors.status().serving!.parked).toEqual([
    { block: expect.stringContaining('a.md'), reason: 'too bad' },
  ]);
  poison = false;
  await world.storage.vectors.configure('picky');
  await world.storage.vectors.whenSettled();
  expect(world.storage.vectors.status().serving!.parked).toEqual([]);
  expect(await world.find('a bad text')).toHaveLength(1);
});

test('[VL7] while the embedder fails, writes are taken and words answer; then it catches up', async () => {
  let down = false;
  const inner = otherEmbedder('shaky');
  const fail = (): never => {
    throw new EmbedderFault('no answer', { retryAfterMs: 1 });
  };
  const shaky: Embedder = {
    ...inner,
    embedQuery: async text => (down ? fail() : inner.embedQuery(text)),
    embedTexts: async texts => (down ? fail() : inner.embedTexts(texts)),
  };
  await opened({ shaky: () => shaky });
  await world.storage.vectors.configure('shaky');
  await put('a', 'written before');
  await world.storage.vectors.whenSettled();
  down = true;
  await put('b', 'written meanwhile');
  await until(() => world.storage.vectors.status().serving!.trouble === 'no answer');
  expect(await world.find('anything new')).toEqual([]);
  expect(world.storage.vectors.lane.state()).toMatchObject({ state: 'filling', done: 1, total: 2 });
  down = false;
  await world.storage.vectors.whenSettled();
  expect(await world.find('written')).toHaveLength(2);
});

test('[VL8] what cannot be had is refused, and what served goes on', async () => {
  const broken = (): never => {
    throw new Error('no such model');
  };
  await opened({ hash: hashEmbedder, broken });
  await expect(world.storage.vectors.configure('broken')).rejects.toThrow('no such model');
  expect(world.storage.vectors.lane.state()).toEqual({ state: 'down', serving: null, done: 0, total: 0 });
  expect(await world.storage.vectors.resume()).toBe(false);
  await world.storage.vectors.configure('hash');
  await put('a', 'rubber ring');
  await world.storage.vectors.whenSettled();
  await expect(world.storage.vectors.configure('broken')).rejects.toThrow('no such model');
  expect(await world.find('rubber ring')).toHaveLength(1);
  world = await world.reopen();
  await expect(world.storage.vectors.configure('broken')).rejects.toThrow('no such model');
  expect(await world.storage.vectors.resume()).toBe(true);
  await world.storage.vectors.whenSettled();
  expect(await world.find('rubber ring')).toHaveLength(1);
});
