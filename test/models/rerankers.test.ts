import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RerankFault } from '../../src/search/rerank/index.ts';
import type { Reranker } from '../../src/search/rerank/ports.ts';
import { localReranker } from '../../src/storage/models/rerank/local-reranker.ts';
import { serviceReranker, type ServiceRerankerOptions } from '../../src/storage/models/rerank/service-reranker.ts';
import { startService, type Given, type Service } from './service.ts';
import { tinyReranker } from './tiny-reranker.ts';

const signal = new AbortController().signal;

describe('a cross-encoder of a folder', () => {
  const folder = tinyReranker();
  let reranker: Reranker;
  beforeAll(async () => {
    reranker = await localReranker({ folder, threads: 1 });
  });
  afterAll(async () => {
    await reranker.close();
    rmSync(folder, { recursive: true });
  });

  test('[EM20] it scores each passage by itself, in order, from 0 to 1', async () => {
    const passages = ['blue', 'red', 'green', 'blue blue red', 'unheard of'];
    const scores = await reranker.score('query', passages, signal);
    const squeezed = (logit: number): number => 1 / (1 + Math.exp(-logit));
    for (const [at, logit] of [-2, 2, 0, 2, -10].entries()) expect(scores[at]).toBeCloseTo(squeezed(logit), 5);
    for (const [at, passage] of passages.entries())
      expect((await reranker.score('query', [passage], signal))[0]).toBeCloseTo(scores[at]!, 5);
    expect(reranker.name).toBe('tiny-reranker');
    expect(reranker.price(100)).toBe(0);
  });

  test('[EM20] any text is taken, a long one is cut', async () => {
    const scores = await reranker.score('\uD800 \0', ['', '\uD800', `${'blue '.repeat(500)}red blue`], signal);
    expect(scores).toHaveLength(3);
    expect(scores[2]).toBeCloseTo(1 / (1 + Math.exp(2)), 5);
  });

  test('[EM20] what is called off rejects, and the next one is answered', async () => {
    const controller = new AbortController();
    const called = reranker.score('query', Array(200).fill('blue'), controller.signal);
    controller.abort(new Error('off'));
    await expect(called).rejects.toThrow('off');
    expect(await reranker.score('query', ['red'], signal)).toHaveLength(1);
  });

  test('[EM20] a folder that is none is refused with a code', async () => {
    const empty = mkdtempSync(join(folder, 'x-'));
    await expect(localReranker({ folder: empty, threads: 1 })).rejects.toMatchObject({ code: 'model-missing' });
    for (const name of ['config.json', 'model.onnx', 'tokenizer.json']) writeFileSync(join(empty, name), '{}');
    await expect(localReranker({ folder: empty, threads: 1 })).rejects.toMatchObject({ code: 'model-unusable' });
  });

  test('[EM20] after its end it refuses', async () => {
    const other = await localReranker({ folder, threads: 1 });
    await other.close();
    await expect(other.score('query', ['red'], signal)).rejects.toThrow(RerankFault);
  });
});

describe('a reranking service', () => {
  let given: Given;
  let service: Service;
  beforeAll(async () => {
    service = await startService(() => given);
  });
  afterAll(() => service.stop());
  const rows = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.2 },
  ];
  const reranker = (options: Partial<ServiceRerankerOptions> = {}): Reranker =>
    serviceReranker({
      shape: 'cohere',
      model: 'm',
      url: service.url,
      apiKey: 'key',
      timeoutMs: 5000,
      usdPerThousand: 2,
      fetch,
      ...options,
    });

  test.each([
    ['cohere', { results: rows }, { top_n: 2 }],
    ['jina', { results: rows }, { top_n: 2 }],
    ['voyage', { data: rows }, { top_k: 2 }],
  ] as const)(
    '[EM21] %s is asked in its own form, and scores come in the order of the passages',
    async (shape, body, most) => {
      given = { body };
      expect(await reranker({ shape }).score('q', ['a', 'b'], signal)).toEqual([0.2, 0.9]);
      const { headers, body: sent } = service.asked.at(-1)!;
      expect(sent).toEqual({ model: 'm', query: 'q', documents: ['a', 'b'], ...most });
      expect(headers['authorization']).toBe('Bearer key');
      expect(reranker().price(50)).toBe(0.002);
    },
  );

  test.each([
    ['refuses', { status: 400, body: { message: 'secret passage' } }],
    ['answers no rows', { body: { results: [{ index: 'x' }] } }],
    ['is forbidden', { status: 403, body: 'secret passage' }],
    ['answers no JSON', { body: '<html>' }],
  ])('[EM21] a service that %s is a fault that names the host alone', async (_name, answer) => {
    given = answer;
    const failed = reranker().score('q', ['secret passage'], signal);
    await expect(failed).rejects.toThrow(RerankFault);
    await expect(failed).rejects.toThrow(new URL(service.url).host);
    await expect(failed).rejects.not.toThrow('secret');
  });
});
