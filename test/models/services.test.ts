import { afterEach, expect, test } from 'vitest';
import { unitVector } from '../../src/search/vectors/index.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { openEmbedder, type EmbedderSource, type ServiceSettings } from '../../src/storage/models/index.ts';
import { openVectorWorld, pageText, until } from '../search/vector-world.ts';
import { openAiAnswer, startService, type Asked, type Given, type Service } from './service.ts';

const KEY = 'sk-very-secret-key';
let service: Service;

afterEach(() => service?.stop());

async function open(source: EmbedderSource, settings: Partial<ServiceSettings> = {}): Promise<Embedder | null> {
  const services = { apiKey: KEY, geminiApiKey: KEY, timeoutMs: 5000, batch: 3, textsPerDay: null, fetch, ...settings };
  return openEmbedder(JSON.stringify(source), { services, spend: () => 0, threads: 1 });
}

const openAi = (dim: number | null = null): EmbedderSource => ({
  provider: 'openai',
  url: `${service.url}/`,
  model: 'tiny-embed',
  dim,
  query_prefix: 'q: ',
  passage_prefix: 'p: ',
});

async function serving(answer: (asked: Asked) => Given): Promise<void> {
  service = await startService(answer);
}

const unit = (length: number): Float32Array => unitVector([length, 1], 2)!;

test('[EM6] OpenAI: batches in order, prefixes, the key in its header', async () => {
  await serving(openAiAnswer);
  const embedder = (await open(openAi()))!;
  expect(embedder.space).toMatchObject({ model: 'tiny-embed', dim: 2, semantic: true });
  const made = await embedder.embedTexts(['a', 'bb', 'ccc', 'dddd']);
  expect(made).toEqual([4, 5, 6, 7].map(length => ({ vector: unit(length) })));
  expect(await embedder.embedQuery('a')).toEqual(unit(4));
  const [probe, first, second, question] = service.asked;
  expect(probe!.path).toBe('/v1/embeddings');
  expect(first!.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(first!.body).toEqual({ model: 'tiny-embed', input: ['p: a', 'p: bb', 'p: ccc'], encoding_format: 'float' });
  expect(second!.body['input']).toEqual(['p: dddd']);
  expect(question!.body['input']).toEqual(['q: a']);
});

test('[EM6] the numbers asked for are asked for, and no shorter vector is taken', async () => {
  await serving(openAiAnswer);
  expect((await open(openAi(2)))!.space.dim).toBe(2);
  expect(service.asked[0]!.body['dimensions']).toBe(2);
  await expect(open(openAi(3))).rejects.toThrow('gives vectors of 2 numbers, 3 are asked for');
});

test('[EM6] Gemini: kinds of texts, dimensions, the key in its header', async () => {
  await serving(({ body }) => ({
    body: { embeddings: (body['requests'] as unknown[]).map(() => ({ values: [3, 4] })) },
  }));
  const embedder = (await open({ provider: 'gemini', url: service.url, model: 'gemini-embedding-001', dim: 2 }))!;
  expect(await embedder.embedTexts(['a'])).toEqual([{ vector: unitVector([3, 4], 2) }]);
  const asked = service.asked.at(-1)!;
  expect(asked.path).toBe('/v1/models/gemini-embedding-001:batchEmbedContents');
  expect(asked.headers['x-goog-api-key']).toBe(KEY);
  expect(asked.body['requests']).toEqual([
    {
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text: 'a' }] },
      taskType: 'RETRIEVAL_DOCUMENT',
      outputDimensionality: 2,
    },
  ]);
});

test('[EM6] what passes is tried again, what does not is not', async () => {
  const statuses = [503, 429, 200, 500, 500, 500, 401];
  await serving(asked => {
    const status = statuses.shift() ?? 200;
    return status === 200
      ? openAiAnswer(asked)
      : { status, body: {}, headers: status === 429 ? { 'retry-after': '0' } : {} };
  });
  const embedder = (await open(openAi()))!;
  expect(service.asked).toHaveLength(3);
  await expect(embedder.embedQuery('a')).rejects.toThrow('answers 500');
  expect(service.asked).toHaveLength(6);
  await expect(embedder.embedQuery('a')).rejects.toThrow('answers 401');
  expect(service.asked).toHaveLength(7);
});

test('[EM6] a service that wants to be left alone for long is', async () => {
  let busy = false;
  await serving(asked => (busy ? { status: 429, body: {}, headers: { 'retry-after': '120' } } : openAiAnswer(asked)));
  const embedder = (await open(openAi()))!;
  busy = true;
  await expect(embedder.embedTexts(['a'])).rejects.toMatchObject({ retryAfterMs: 120_000 });
  expect(service.asked).toHaveLength(2);
});

test('[EM6] silence, a redirect and nonsense are faults of the service', async () => {
  let given: Given | undefined;
  await serving(asked => given ?? openAiAnswer(asked));
  const embedder = (await open(openAi(), { timeoutMs: 200 }))!;
  given = { silent: true };
  await expect(embedder.embedQuery('a')).rejects.toThrow('did not answer in 200 ms');
  given = { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: {} };
  await expect(embedder.embedQuery('a')).rejects.toThrow('cannot be reached');
  for (const body of ['no json', { data: [] }, { data: [{ index: 0, embedding: 'x' }] }]) {
    given = { body };
    await expect(embedder.embedQuery('a')).rejects.toThrow(/no JSON|something else/);
  }
  const ending = new AbortController();
  given = { silent: true };
  const asked = embedder.embedQuery('a', ending.signal);
  ending.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('[EM6] of a batch that is refused, the text at fault is found', async () => {
  await serving(asked =>
    (asked.body['input'] as string[]).some(text => text.includes('bad'))
      ? { status: 400, body: { error: 'too long' } }
      : openAiAnswer(asked),
  );
  const embedder = (await open(openAi()))!;
  const [first, second, third] = await embedder.embedTexts(['a', 'bad', 'c']);
  expect([first, third]).toEqual([{ vector: unit(4) }, { vector: unit(4) }]);
  expect(second).toEqual({ poison: expect.stringContaining('refuses it with 400') });
});

test('[EM7] the key stands in no message', async () => {
  await serving(({ headers }) => ({ status: 403, body: { error: headers.authorization } }));
  const refused = await open(openAi()).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(Error);
  expect(
    JSON.stringify([(refused as Error).message, (refused as Error).stack, String((refused as Error).cause)]),
  ).not.toContain(KEY);
});

test('[EM8] texts of a day are counted over restarts, and questions go on', async () => {
  await serving(openAiAnswer);
  let world = await openVectorWorld({}, undefined, (source, { spend }) =>
    openEmbedder(source, {
      services: { apiKey: null, geminiApiKey: null, timeoutMs: 5000, batch: 2, textsPerDay: 5, fetch },
      spend,
      threads: 1,
    }),
  );
  const source = JSON.stringify(openAi());
  await world.storage.vectors.configure(source);
  for (let at = 0; at < 4; at++) await world.put(`instances/p${at}.md`, pageText('pump', `p${at}`, 'x'.repeat(at + 1)));
  await world.storage.vectors.whenSettled();
  world = await world.reopen();
  await world.storage.vectors.configure(source);
  await world.put('instances/q.md', pageText('pump', 'q', 'y'.repeat(9)));
  await world.storage.vectors.whenSettled();
  await world.put('instances/r.md', pageText('pump', 'r', 'z'.repeat(10)));
  await until(() => world.storage.vectors.status().serving!.trouble === 'the texts for today are used up');
  expect(world.storage.vectors.lane.state()).toMatchObject({ done: 5, total: 6 });
  expect(await world.find('x')).toHaveLength(5);
  await world.end();
});

test('[EM9] zero, and Gemini without a key, want no vectors', async () => {
  await serving(openAiAnswer);
  expect(await open({ provider: 'zero' })).toBeNull();
  const gemini = { provider: 'gemini', url: service.url, model: 'gemini-embedding-001', dim: 768 } as const;
  expect(await open(gemini, { geminiApiKey: null })).toBeNull();
  expect(service.asked).toEqual([]);
});
