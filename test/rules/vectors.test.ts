import { afterEach, expect, test } from 'vitest';
import { randomFrom } from '../../bench/lib/sample-rules.ts';
import { sqliteRuleVectors } from '../../src/storage/sqlite/scopes/rule-vectors.ts';
import { confirmed, decide, proposed, stocked, world, type World } from './world.ts';

const made: World[] = [];
afterEach(() => made.splice(0).forEach(here => here.remove()));

const SPACE = { model: 'random', revision: '1', dim: 40, semantic: false };
const random = randomFrom(7);
function vector(): Float32Array {
  const numbers = Float32Array.from({ length: SPACE.dim }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map(one => one / length);
}
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, one, at) => sum + one * b[at]!, 0);

test('[RU86] the rules nearest in meaning are exactly those, whatever was decided, replaced and read again', async () => {
  let here = await stocked({ scopes: ['sales'] });
  const status = new Map<string, string>();
  for (let n = 1; n <= 30; n++) {
    const over = { statement: `Zwieselbach liefert nur im Winter ${n}`, keywords: [] };
    const id = n % 3 === 0 ? await proposed(here, over) : await confirmed(here, over);
    status.set(id, n % 3 === 0 ? 'proposed' : 'confirmed');
  }
  const ids = [...status.keys()];
  const vectors = new Map(ids.map(id => [id, vector()]));
  let store = sqliteRuleVectors(here.files);
  const put = async (some: readonly string[]): Promise<void> =>
    store.put(
      'sales',
      SPACE,
      some.map(id => ({ passage: { seq: Number(id.slice(-4)), version: 1, text: '' }, vector: vectors.get(id)! })),
    );
  const check = async (): Promise<void> => {
    for (const statuses of [
      ['confirmed', 'superseded'],
      ['confirmed', 'superseded', 'proposed'],
    ] as const) {
      const question = vector();
      const expected = ids
        .filter(id => vectors.has(id) && (statuses as readonly string[]).includes(status.get(id)!))
        .map(ruleId => ({ ruleId, status: status.get(ruleId)!, score: cosine(question, vectors.get(ruleId)!) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 12);
      const found = await store.nearest('sales', SPACE, question, statuses, 12);
      expect(found.map(({ ruleId, status: its }) => [ruleId, its])).toEqual(
        expected.map(({ ruleId, status: its }) => [ruleId, its]),
      );
      for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(expected[at]!.score, 6);
    }
  };
  await put(ids.slice(0, 20));
  for (const id of ids.slice(20)) vectors.delete(id);
  await check();
  for (const id of ids.slice(20)) vectors.set(id, vector());
  vectors.set(ids[4]!, vector());
  await put([...ids.slice(20), ids[4]!]);
  await check();
  await decide(here, ids[2]!, { decision: 'reject', version: 1, reason: 'no' });
  status.set(ids[2]!, 'rejected');
  await decide(here, ids[5]!, { decision: 'confirm', version: 1 });
  status.set(ids[5]!, 'confirmed');
  await decide(here, ids[6]!, { decision: 'revoke', version: 2, reason: 'gone', valid_until: '2026-06-01' });
  status.set(ids[6]!, 'superseded');
  await check();
  here.close();
  here = world({ folder: here.folder, scopes: ['sales'] });
  made.push(here);
  store = sqliteRuleVectors(here.files);
  await check();
  const other = { ...SPACE, revision: '2' };
  await store.put('sales', other, [{ passage: { seq: 1, version: 2, text: '' }, vector: vectors.get(ids[0]!)! }]);
  vectors.delete(ids[0]!);
  await check();
  expect((await store.nearest('sales', other, vector(), ['confirmed'], 5)).map(one => one.ruleId)).toEqual([ids[0]]);
});
