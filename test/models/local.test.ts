import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { unitVector } from '../../src/search/vectors/index.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { localEmbedder } from '../../src/storage/models/local/local.ts';
import { tinyModel } from './tiny-model.ts';

const folders: string[] = [];
const open: Embedder[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const embedder of open.splice(0)) await embedder.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function model(config: Readonly<Record<string, unknown>> = {}, neighbours = false): string {
  const folder = tinyModel(config, neighbours);
  folders.push(folder);
  return folder;
}

async function load(folder: string, dim: number | null = null): Promise<Embedder> {
  const embedder = await localEmbedder({ folder, dim, threads: 1 });
  open.push(embedder);
  return embedder;
}

const vectorsOf = async (embedder: Embedder, texts: readonly string[]): Promise<(number[] | string)[]> =>
  (await embedder.embedTexts(texts)).map(one => ('vector' in one ? rounded(one.vector) : one.poison));

const rounded = (vector: Float32Array): number[] => Array.from(vector, value => Number(value.toFixed(6)));
const unit = (...numbers: number[]): number[] => rounded(unitVector(numbers, numbers.length)!);

test('[EM1] tokens are averaged, behind the prefix of their kind', async () => {
  const embedder = await load(model());
  expect(embedder.space).toMatchObject({ model: 'tiny', dim: 4, semantic: true });
  expect(await vectorsOf(embedder, ['red', 'red green'])).toEqual([unit(3, 2, 0, 0), unit(3, 5, 1, 0)]);
  expect(rounded(await embedder.embedQuery('red'))).toEqual(unit(4, 1, 0, 0));
});

test('[EM1] the first token stands for the text where config.json says so', async () => {
  const embedder = await load(model({ pooling: 'cls', prefixes: { query: '', passage: '' } }));
  expect(await vectorsOf(embedder, ['red green blue'])).toEqual([unit(3, 1, 0, 0)]);
});

test('[EM1] vectors are cut to the numbers asked for, long texts to the tokens of the model', async () => {
  const cut = await load(model(), 2);
  expect(cut.space.dim).toBe(2);
  expect(await vectorsOf(cut, ['red'])).toEqual([unit(3, 2)]);
  const short = await load(model({ max_tokens: 3 }));
  // The first two tokens and the last one.
  expect(await vectorsOf(short, [`red ${'green '.repeat(50)} blue`])).toEqual([unit(3, 2, 3, 1)]);
});

test('[EM2] a vector does not depend on the texts beside it', async () => {
  const embedder = await load(model({ max_tokens: 64 }));
  const texts = Array.from({ length: 90 }, (_, at) => 'red green blue '.repeat((at * 7) % 20).trim() || 'blue');
  const together = await vectorsOf(embedder, texts);
  const backwards = (await vectorsOf(embedder, texts.toReversed())).toReversed();
  expect(backwards).toEqual(together);
  for (const at of [0, 1, 17, 89]) expect(await vectorsOf(embedder, [texts[at]!])).toEqual([together[at]]);
});

test('[EM13] a model that mixes the texts of a group gets each alone', async () => {
  const embedder = await load(model({ max_tokens: 64 }, true));
  const texts = ['red', 'green green', 'blue red', 'red'];
  const together = await vectorsOf(embedder, texts);
  for (const [at, one] of texts.entries()) expect(await vectorsOf(embedder, [one])).toEqual([together[at]]);
});

test('[EM3] a thread that ends takes its questions with it and comes back', async () => {
  const threads = new Set<Worker>();
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...given) {
    threads.add(this);
    return post.apply(this, given);
  });
  const embedder = await load(model());
  const before = await embedder.embedQuery('red');
  const asked = embedder.embedTexts(Array.from({ length: 5000 }, () => 'red green blue'));
  for (const thread of threads) void thread.terminate();
  await expect(asked).rejects.toThrow(/thread of tiny/);
  const [again, same] = await Promise.all([embedder.embedQuery('red'), embedder.embedQuery('red')]);
  expect(again).toEqual(before);
  expect(same).toEqual(before);
});

test('[EM3] a model whose files were changed is not started again under the old name', async () => {
  const threads = new Set<Worker>();
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...given) {
    threads.add(this);
    return post.apply(this, given);
  });
  const folder = model();
  const embedder = await load(folder);
  await embedder.embedQuery('red');
  writeFileSync(join(folder, 'tokenizer.json'), '{}');
  for (const thread of threads) await thread.terminate();
  await expect(embedder.embedQuery('red')).rejects.toThrow('the files of tiny have changed');
});

test('[EM3] whoever does not wait any longer gets no answer, and others do', async () => {
  const embedder = await load(model());
  const ending = new AbortController();
  const asked = embedder.embedTexts(['red', 'green'], ending.signal);
  ending.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await expect(embedder.embedTexts(['red'], ending.signal)).rejects.toThrow('enough');
  expect(await vectorsOf(embedder, ['red'])).toEqual([unit(3, 2, 0, 0)]);
});

test('[EM4] the text that the model cannot take is named, its neighbours are not', async () => {
  const embedder = await load(model());
  const made = await vectorsOf(embedder, ['red', 'a broken one', 'green']);
  expect([made[0], made[2]]).toEqual([unit(3, 2, 0, 0), unit(0, 4, 1, 0)]);
  expect(made[1]).toMatch(/Gather/);
});

test('[EM5] what is no usable model is refused by name', async () => {
  const refused = async (folder: string, dim: number | null = null): Promise<unknown> =>
    load(folder, dim).then(
      () => 'loaded',
      (error: { code: string; message: string }) => error.code,
    );
  expect(await refused('/nowhere/at/all')).toBe('model-missing');
  const incomplete = model();
  rmSync(join(incomplete, 'tokenizer.json'));
  expect(await refused(incomplete)).toBe('model-missing');
  expect(await refused(model({ format: 'safetensors' }))).toBe('model-unusable');
  expect(await refused(model({ output: 'nothing' }))).toBe('model-unusable');
  expect(await refused(model(), 5)).toBe('model-unusable');
  const broken = model();
  writeFileSync(join(broken, 'model.onnx'), 'no model');
  expect(await refused(broken)).toBe('model-unusable');
  const damaged = model();
  writeFileSync(join(damaged, 'checksums.json'), JSON.stringify({ 'model.onnx': '0'.repeat(64) }));
  expect(await refused(damaged)).toBe('model-damaged');
});

test('[EM5] the revision changes with the files', async () => {
  const folder = model();
  const first = await load(folder);
  const second = await load(model({ max_tokens: 9 }));
  expect((await load(folder)).space.revision).toBe(first.space.revision);
  expect(second.space.revision).not.toBe(first.space.revision);
});
