import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmed } from '../rules/world.ts';
import { world, type World } from './world.ts';

let w: World;
let anna: string;
beforeAll(async () => {
  w = await world({
    fill: async rules => void (await confirmed(rules)),
    altered: settings => ({
      ...settings,
      rules: settings.rules && {
        ...settings.rules,
        search: {
          ...settings.rules.search,
          semantic: { enabled: true, model: 'bge-m3' },
          reranker: {
            enabled: true,
            provider: 'typesafe',
            model: 'jev-1.14.0',
            monthly_cap_usd: 5,
            timeout_ms: 1000,
            threshold: 0.5,
          },
          providers: {
            sales: { allowed: ['local'], reranker: true },
            legal: { allowed: ['typesafe'], reranker: true },
          },
        },
      },
    }),
  });
  anna = await w.tokenOf('anna');
});
afterAll(() => w.end());

const search = async (scopes: string[]) =>
  (await w.ask('POST', '/v1/search', { token: anna, body: { scopes, cross_scope: true, text: 'hook rails' } })).json;

test('[VR15] stages that are configured and cannot run say so, and words find what they find', async () => {
  const { stages, bundles } = await search(['sales']);
  expect(stages).toMatchObject({
    a: { state: 'ran', reason: null },
    b: { state: 'failed', duration_ms: null, reason: 'model-missing' },
    c: { state: 'not-allowed', duration_ms: null, reason: 'provider typesafe is not allowed in this scope' },
  });
  expect(bundles.map((one: { head: { ref: string } }) => one.head.ref)).toEqual(['rule/sales-0001@2']);
  const other = (await search(['legal'])).stages;
  expect([other.b.state, other.c.state]).toEqual(['not-allowed', 'failed']);
  const both = (await search(['sales', 'legal'])).stages;
  expect([both.a.state, both.b.state, both.c.state]).toEqual(['ran', 'failed', 'failed']);
});

test('[VR15] the state of the instance names them, and the log tells of a missing model once', async () => {
  expect((await w.ask('GET', '/v1/status', { token: anna })).json.stages).toEqual({ b: 'on', c: 'on' });
  await search(['sales']);
  const told = w.logged.filter(line => line['msg'] === 'rules.stage-b-failed');
  expect(told.map(({ scope, reason }) => [scope, reason])).toEqual([['sales', 'model-missing']]);
});
