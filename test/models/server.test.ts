import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readSettings } from '../../src/kernel/settings/index.ts';
import { until } from '../search/vector-world.ts';
import { instancePage, skillPage, world, type World } from '../world.ts';
import { openAiAnswer, startService } from './service.ts';
import { tinyModel } from './tiny-model.ts';

let w: World | undefined;
const folders: string[] = [];

afterEach(async () => {
  await w?.end();
  w = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function tiny(config: Readonly<Record<string, unknown>> = {}): string {
  const folder = tinyModel(config);
  folders.push(folder);
  return folder;
}

const local = (folder: string): Record<string, string> => ({
  CAIRN_EMBEDDING_PROVIDER: 'local',
  CAIRN_EMBEDDING_MODEL: folder,
});

async function serve(env: Readonly<Record<string, string>> = {}): Promise<World> {
  w = await world(env);
  await w.settled();
  return w;
}

const status = () => w!.admin.call('embedding_status');
const filled = () => until(async () => (await status()).state === 'ready');
const pages = () =>
  w!.put({
    'markdown/skills/pump.md': skillPage('pump'),
    'markdown/instances/pump/a.md': instancePage('pump', 'a', {}, 'red\n\ngreen\n'),
  });

test('[AE1] embedding_reload answers the name of the model, or of the provider (E691, E026)', async () => {
  await serve();
  expect(await w!.admin.call('embedding_reload')).toEqual({ model_revision: 'hash' });
  expect(await w!.admin.call('reload_embedding')).toEqual({ model_revision: 'hash' });
  await w!.restart({ CAIRN_EMBEDDING_PROVIDER: 'zero' });
  expect(await w!.admin.call('embedding_reload')).toEqual({ model_revision: 'zero' });
  await w!.restart(local(tiny()));
  expect(await w!.admin.call('embedding_reload')).toEqual({ model_revision: 'tiny' });
});

test('[AE1, AE3] a model that comes late is loaded by embedding_reload (E695)', async () => {
  await serve(local('tiny-one'));
  await pages();
  const ready = await fetch(`${w!.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { components: { embedder: false, indexer: true } }]);
  const hits = (await w!.admin.call('search', { q: 'green' })).hits;
  expect(hits[0].page_id).toBe('markdown/instances/pump/a.md');
  expect(await w!.admin.fails('embedding_reload')).toMatchObject({
    code: -32603,
    message: expect.stringMatching(/cannot be loaded/),
  });
  expect(await status()).toEqual({ state: 'down', serving: null, building: null });
  mkdirSync(join(w!.dataDir, 'models'), { recursive: true });
  cpSync(tiny(), join(w!.dataDir, 'models', 'tiny-one'), { recursive: true });
  expect(await w!.admin.call('embedding_reload')).toEqual({ model_revision: 'tiny' });
  await filled();
  expect((await fetch(`${w!.url}/readyz`)).status).toBe(200);
});

test('[AE2] embedding_status tells how far it is and what is left out', async () => {
  await serve(local(tiny()));
  await pages();
  await w!.put({ 'markdown/instances/pump/b.md': instancePage('pump', 'b', { title: 'b' }, 'broken\n') });
  await filled();
  const { serving, building } = await status();
  expect(building).toBeNull();
  expect(serving).toMatchObject({ model: 'tiny', dim: 4, semantic: true, seconds_left: 0, trouble: null });
  expect(serving.done).toBe(serving.total);
  expect(serving.parked).toEqual([
    { block: expect.stringContaining('pump/b.md#'), reason: expect.stringMatching(/Gather/) },
  ]);
});

test('[AE3] a model that is required stops the start (N045)', async () => {
  await expect(serve({ ...local('nowhere'), CAIRN_EMBEDDER_REQUIRED: 'true' })).rejects.toMatchObject({
    code: 'embedder-unavailable',
  });
});

test('[AE4] the provider of the tenant counts from a rebuild on, and after a start (E671)', async () => {
  await serve(local(tiny()));
  await pages();
  await filled();
  await w!.admin.call('tenant_update', { embedding_provider: 'zero' });
  expect((await status()).serving.model).toBe('tiny');
  await w!.admin.call('rebuild');
  expect(await status()).toEqual({ state: 'off', serving: null, building: null });
  await w!.restart();
  await w!.settled();
  expect((await status()).state).toBe('off');
});

test('[VL11] the default embeds nothing, for nobody asks', async () => {
  await serve();
  await pages();
  await w!.admin.call('search', { q: 'green' });
  expect(await status()).toEqual({ state: 'off', serving: null, building: null });
});

test('[VL11] going back from a model to spelling lets the model go', async () => {
  await serve(local(tiny()));
  await pages();
  await filled();
  await w!.restart({ CAIRN_EMBEDDING_PROVIDER: 'hash' });
  await w!.settled();
  expect(await status()).toEqual({ state: 'off', serving: null, building: null });
  await w!.restart(local(tiny()));
  await w!.settled();
  await filled();
});

test('[AE5] each embedded block takes one of the quota, and none is held back (E072)', async () => {
  await serve(local(tiny()));
  await filled();
  const left = async (): Promise<number> => (await w!.admin.call('admin_quota')).embeds_remaining;
  const words = Array.from({ length: 400 }, (_, at) => `paragraph ${at}${' red'.repeat(at % 5)}`);
  await w!.put({ 'markdown/skills/pump.md': skillPage('pump') });
  await filled();
  expect(await left()).toBeGreaterThan(0);
  await w!.put({ 'markdown/instances/pump/a.md': instancePage('pump', 'a', {}, words.join('\n\n')) });
  await filled();
  expect(await left()).toBeLessThan(10);
  expect((await status()).serving.total).toBeGreaterThan(400);
});

test('[AE6] the log says which model answers by meaning, or how to get one', async () => {
  await serve();
  const lines = (): unknown[] => w!.logged.map(line => line['msg']);
  expect(lines()).toContainEqual(expect.stringMatching(/not by meaning; for that: cairn models get/));
  await w!.restart(local(tiny()));
  await w!.settled();
  expect(lines()).toContain('search answers by meaning: tiny, 4 numbers a text');
});

test('[AE7] a service is asked, its key stays secret, and vectors find what they are made for (N041, N042)', async () => {
  const service = await startService(openAiAnswer);
  try {
    await serve({
      CAIRN_EMBEDDING_PROVIDER: 'openai',
      CAIRN_EMBEDDING_URL: service.url,
      CAIRN_EMBEDDING_MODEL: 'tiny-embed',
      CAIRN_EMBEDDING_API_KEY: 'sk-very-secret-key',
      CAIRN_EMBEDDING_PASSAGE_PREFIX: 'passage:',
    });
    await pages();
    await filled();
    expect((await status()).serving).toMatchObject({ model: 'tiny-embed', dim: 2 });
    const asked = service.asked.flatMap(one => one.body['input'] as string[]);
    expect(asked.some(text => /^passage: .*green/s.test(text))).toBe(true);
    expect(JSON.stringify(w!.logged)).not.toContain('sk-very-secret-key');
  } finally {
    await service.stop();
  }
});

test('[AE7] local and openai without what they need are refused (N044)', () => {
  const refusals = (env: Readonly<Record<string, string>>): string[] => {
    const reading = readSettings({ env: { CAIRN_AUTH_MODE: 'open', ...env }, cwd: '/tmp', readFile: () => undefined });
    return reading.ok ? [] : reading.refusals.map(({ message }) => message);
  };
  expect(refusals({ CAIRN_EMBEDDING_PROVIDER: 'local' })).toEqual([
    expect.stringMatching(/EMBEDDING_MODEL is missing/),
  ]);
  expect(refusals({ CAIRN_EMBEDDING_PROVIDER: 'openai' })).toHaveLength(2);
  expect(refusals({ CAIRN_EMBEDDING_DIM: '0' })).toHaveLength(1);
});
