import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spendingFile } from '../../src/storage/models/rerank/spending-file.ts';
import { startService, type Given, type Service } from '../models/service.ts';
import { instancePage, skillPage, world, type World } from '../world.ts';

let answer: Given;
let service: Service;
let w: World;
const page = (id: string): string => `markdown/instances/note/${id}.md`;
beforeAll(async () => {
  service = await startService(() => answer);
  w = await world({
    CAIRN_RETRIEVAL_RERANK: 'jina',
    CAIRN_RETRIEVAL_RERANK_URL: service.url,
    CAIRN_RETRIEVAL_RERANK_MONTHLY_CAP_USD: '0.02',
    CAIRN_RETRIEVAL_RERANK_USD_PER_THOUSAND: '5',
  });
  await w.put({
    'markdown/skills/note.md': skillPage('note'),
    [page('a')]: instancePage('note', 'a', {}, 'Ventil Ventil Ventil.\n'),
    [page('b')]: instancePage('note', 'b', {}, `Ein Ventil, ${'und noch mehr Text '.repeat(30)}bis hier.\n`),
    [page('secret')]: instancePage('note', 'secret', { acl: { read: ['board'] } }, 'Ventil der Geheimnisse.\n'),
  });
});
afterAll(async () => {
  await w.end();
  await service.stop();
});

test('[SR13] a service orders the hits that the caller may see anew, by whole passages, and is asked no more than the cap allows', async () => {
  const ann = await w.as({ sub: 'ann' });
  answer = {
    body: {
      results: [
        { index: 0, relevance_score: 0.1 },
        { index: 1, relevance_score: 0.8 },
      ],
    },
  };
  const ask = () => ann.call('search', { q: 'Ventil', explain: true });
  const first = await ask();
  expect(first.hits.map((hit: { page_id: string }) => hit.page_id)).toEqual([page('b'), page('a')]);
  expect(first.hits.map((hit: { explain: { rerank: number } }) => hit.explain.rerank)).toEqual([0.8, 0.1]);
  expect(first.explain.rerank).toMatchObject({ state: 'ran', reason: null });
  const { documents } = service.asked[0]!.body as { documents: string[] };
  expect(documents.map(text => text.length > 300)).toEqual([false, true]);
  expect(JSON.stringify(service.asked)).not.toContain('Geheimnisse');

  answer = { status: 400, body: 'no' };
  const second = await ask();
  expect(second.hits.map((hit: { page_id: string }) => hit.page_id)).toEqual([page('a'), page('b')]);
  expect(second.explain.rerank.state).toBe('failed');
  await ask();
  await ask();
  const asked = service.asked.length;
  const last = await ask();
  expect(last.explain.rerank).toEqual({ state: 'budget', duration_ms: null, reason: 'monthly cap reached' });
  await w.restart();
  expect((await (await w.as({ sub: 'ann' })).call('search', { q: 'Ventil', explain: true })).explain.rerank.state).toBe(
    'budget',
  );
  expect(service.asked).toHaveLength(asked);
});

describe('what was spent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-spent-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('[SR13] adds up within a month, over restarts, in a private file', () => {
    const file = join(folder, 'spent');
    spendingFile(file).add('2026-01', 1.25);
    spendingFile(file).add('2026-01', 0.5);
    expect(spendingFile(file).spent('2026-01')).toBe(1.75);
    expect(spendingFile(file).spent('2026-02')).toBe(0);
    spendingFile(file).add('2026-02', 1);
    expect(spendingFile(file).spent('2026-02')).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
