import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addModel, getModel, type Installed } from '../../src/storage/models/index.ts';
import { describeModel } from '../../src/storage/models/install/describe.ts';
import { localEmbedder } from '../../src/storage/models/local/local.ts';
import { run } from '../cli/run.ts';
import { startHub, type TestHub } from './hub.ts';
import { tinyModel } from './tiny-model.ts';

const NAME = 'someone/tiny-e5-small';
let data: string;
let tiny: string;
let hub: TestHub | undefined;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'cairn-models-'));
  tiny = tinyModel();
});
afterEach(async () => {
  await hub?.stop();
  hub = undefined;
  for (const folder of [data, tiny]) rmSync(folder, { recursive: true, force: true });
});

/** What a hub holds of the tiny model, in its own words. */
const hubFiles = (): Record<string, string | Buffer> => ({
  'config.json': JSON.stringify({ model_type: 'bert', hidden_size: 4, max_position_embeddings: 16, pad_token_id: 0 }),
  'tokenizer.json': readFileSync(join(tiny, 'tokenizer.json')),
  '1_Pooling/config.json': JSON.stringify({ word_embedding_dimension: 4, pooling_mode_cls_token: true }),
  'README.md': 'about it',
  'onnx/model.onnx': readFileSync(join(tiny, 'model.onnx')),
  'onnx/other.onnx': 'not asked for',
  'train.py': 'no file to take',
});

const get = (file: string | null = null): Promise<Installed> =>
  getModel(NAME, { hub: { url: hub!.url, fetch }, dataDir: data, file, progress: () => undefined });
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const models = (): string[] => readdirSync(join(data, 'models')).toSorted();
/** Whether so many bytes of an unfinished file are on the disk: a connection that breaks takes along what was not read yet. */
const has = (bytes: number) => () =>
  readdirSync(data, { recursive: true, withFileTypes: true }).some(
    entry => entry.name.endsWith('.onnx.part') && statSync(join(entry.parentPath, entry.name)).size >= bytes,
  );
const asked = (path: string) => hub!.asked.filter(one => one.path === path);

test('[EM10] a folder becomes a model of the data folder, private and with checksums', async () => {
  writeFileSync(join(tiny, 'notes.txt'), 'not part of it');
  const { name, folder } = await addModel(tiny, data, null);
  expect([name, folder]).toEqual(['tiny', join(data, 'models', 'tiny')]);
  expect(readdirSync(folder).toSorted()).toEqual(['checksums.json', 'config.json', 'model.onnx', 'tokenizer.json']);
  expect(statSync(join(folder, 'model.onnx')).mode & 0o777).toBe(0o600);
  await (await localEmbedder({ folder, dim: null, threads: 1 })).close();
  writeFileSync(join(folder, 'tokenizer.json'), '{}');
  expect(await code(localEmbedder({ folder, dim: null, threads: 1 }))).toBe('model-damaged');
  await addModel(tiny, data, null);
  await (await localEmbedder({ folder, dim: null, threads: 1 })).close();
  expect(models()).toEqual(['tiny']);
});

test('[EM10] what is no model is refused and leaves what was there', async () => {
  await addModel(tiny, data, 'mine');
  expect(await code(addModel('/nowhere', data, 'mine'))).toBe('model-missing');
  expect(await code(addModel(tiny, data, '../out'))).toBe('model-unusable');
  writeFileSync(join(tiny, 'checksums.json'), JSON.stringify({ 'model.onnx': 'other' }));
  expect(await code(addModel(tiny, data, 'mine'))).toBe('model-damaged');
  rmSync(join(tiny, 'model.onnx'));
  expect(await code(addModel(tiny, data, 'mine'))).toBe('model-missing');
  expect(models()).toEqual(['mine']);
  await (await localEmbedder({ folder: join(data, 'models', 'mine'), dim: null, threads: 1 })).close();
});

test('[EM11, EM12] a model of a hub is brought, described and works', async () => {
  hub = await startHub(NAME, hubFiles());
  const { name, folder } = await get();
  expect(name).toBe('tiny-e5-small');
  expect(readdirSync(folder).toSorted()).toEqual([
    'README.md',
    'checksums.json',
    'config.json',
    'model.onnx',
    'tokenizer.json',
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toMatchObject({
    name: 'tiny-e5-small',
    format: 'onnx',
    dim: 4,
    max_tokens: 16,
    pooling: 'cls',
    prefixes: { query: 'query: ', passage: 'passage: ' },
  });
  expect(hub.asked.map(({ path }) => path)).not.toContain('train.py');
  expect(asked('onnx/other.onnx')).toEqual([]);
  const embedder = await localEmbedder({ folder, dim: null, threads: 1 });
  expect(await embedder.embedQuery('red')).toHaveLength(4);
  await embedder.close();
  expect(models()).toEqual(['tiny-e5-small']);
});

test('[EM11] a broken connection is taken up where it ended, within a call and by the next', async () => {
  hub = await startHub(NAME, hubFiles());
  hub.breakAfter('onnx/model.onnx', 100, has(100));
  await get();
  expect(asked('onnx/model.onnx').map(({ range }) => range)).toEqual([undefined, 'bytes=100-']);
  rmSync(join(data, 'models'), { recursive: true });
  hub.asked.length = 0;
  const refused = getModel(NAME, {
    hub: { url: hub.url, fetch: interrupted(80) },
    dataDir: data,
    file: null,
    progress: () => undefined,
  });
  expect(await code(refused)).toBe('model-download-failed');
  hub.asked.length = 0;
  await get();
  expect(asked('onnx/model.onnx')).toEqual([{ path: 'onnx/model.onnx', range: 'bytes=80-' }]);
  expect(asked('tokenizer.json')).toEqual([]);
});

/** The network goes away for good after some bytes of the ONNX file. */
function interrupted(bytes: number): typeof fetch {
  let gone = false;
  return async (input, init) => {
    if (gone) throw new TypeError('fetch failed', { cause: new Error('network is unreachable') });
    if (!String(input).endsWith('.onnx')) return fetch(input, init);
    gone = true;
    hub!.breakAfter('onnx/model.onnx', bytes, has(bytes));
    return fetch(input, init);
  };
}

test('[EM11] a hub that knows no ranges starts the file anew', async () => {
  hub = await startHub(NAME, hubFiles());
  hub.ignoreRanges();
  hub.breakAfter('onnx/model.onnx', 100, has(100));
  const { digests } = await get();
  expect(digests['model.onnx']).toMatch(/^[0-9a-f]{64}$/);
  expect(asked('onnx/model.onnx')).toHaveLength(2);
});

test('[EM11] a file that is not what the hub says is refused and not kept', async () => {
  for (const path of ['onnx/model.onnx', 'tokenizer.json']) {
    hub = await startHub(NAME, hubFiles());
    hub.corrupt(path);
    expect(await code(get())).toBe('model-damaged');
    const parts = readdirSync(join(data, 'models'), { recursive: true, encoding: 'utf8' });
    expect(parts.filter(one => one.endsWith('.part') && !/^\.[^/]*\.part$/.test(one))).toEqual([]);
    await hub.stop();
    expect(models().filter(one => !one.startsWith('.'))).toEqual([]);
    rmSync(join(data, 'models'), { recursive: true });
  }
});

test('[EM11] what is not there, not named well or not a hub is refused', async () => {
  hub = await startHub(NAME, hubFiles());
  const other = (name: string, url = hub!.url) =>
    code(getModel(name, { hub: { url, fetch }, dataDir: data, file: null, progress: () => undefined }));
  expect(await other('someone/else')).toBe('model-missing');
  expect(await other('../../etc')).toBe('model-unusable');
  expect(await other('a/b/c')).toBe('model-unusable');
  expect(await other(NAME, 'http://127.0.0.1:1')).toBe('model-download-failed');
  expect(await code(get('onnx/none.onnx'))).toBe('model-unusable');
});

test('[EM12] prefixes and limits are those that the model states', () => {
  const described = (files: Readonly<Record<string, object>>, name = 'a/b'): Record<string, unknown> => {
    for (const [file, content] of Object.entries(files)) writeFileSync(join(data, file), JSON.stringify(content));
    return describeModel(data, name);
  };
  const config = { model_type: 'xlm-roberta', hidden_size: 8, max_position_embeddings: 514, pad_token_id: 1 };
  expect(described({ 'config.json': config })).toMatchObject({
    dim: 8,
    max_tokens: 512,
    pooling: 'mean',
    pad_token_id: 1,
  });
  const prompts = { prompts: { query: 'task: search | query: ', document: 'title: none | text: ' } };
  expect(described({ 'config_sentence_transformers.json': prompts })['prefixes']).toEqual({
    query: 'task: search | query: ',
    passage: 'title: none | text: ',
  });
  expect(described({ 'config.json': { format: 'onnx', name: 'ours' } })).toEqual({ format: 'onnx', name: 'ours' });
});

test('[EM10, EM11] the command line adds and gets', async () => {
  hub = await startHub(NAME, hubFiles());
  const env = { CAIRN_DATA_DIR: data, CAIRN_EMBEDDING_HUB_URL: `${hub.url}/` };
  const added = await run(['models', 'add', tiny, '--name', 'first'], env);
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('CAIRN_EMBEDDING_MODEL=first')]);
  const got = await run(['models', 'get', NAME, '--json'], env);
  expect(got.code).toBe(0);
  expect(JSON.parse(got.stdout)).toMatchObject({ name: 'tiny-e5-small', sha256: { 'model.onnx': expect.any(String) } });
  expect(got.stderr).toContain('onnx/model.onnx');
  const missing = await run(['models', 'get', 'someone/else'], env);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^model-missing: /)]);
  expect(models()).toEqual(['first', 'tiny-e5-small']);
});
