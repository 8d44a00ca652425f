import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { LaneFilter } from '../../src/search/ports.ts';
import { fixedVector, unitVector } from '../../src/search/vectors/index.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { matrix } from '../../src/storage/sqlite/vectors/matrix.ts';
import { EVERYTHING, openVectorWorld, pageText, type VectorWorld } from './vector-world.ts';

const OPENS = { hash: hashEmbedder, zero: () => null };
let world: VectorWorld;

afterEach(() => world?.end());

async function opened(): Promise<VectorWorld> {
  world = await openVectorWorld(OPENS);
  await world.storage.vectors.configure('hash');
  return world;
}

test('[VL1] the nearest are those that comparing all by hand gives, with their cosines', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const vectors = fc.array(fc.tuple(fc.array(number, { minLength: 20, maxLength: 20 }), fc.boolean(), fc.boolean()), {
    minLength: 1,
    maxLength: 120,
  });
  fc.assert(
    fc.property(
      vectors,
      fc.array(number, { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (given, asked, limit) => {
        const query = unitVector([...asked.slice(1), 1], 20)!;
        const kept = matrix(20);
        const mask = new Uint8Array(given.length + 1);
        const expected: { page: number; score: number }[] = [];
        for (const [at, [numbers, stays, passes]] of given.entries()) {
          const vector = unitVector([1, ...numbers.slice(1)], 20)!;
          const row = kept.add(at + 1, 0, fixedVector(vector));
          if (passes) mask[at + 1] = 1;
          if (!stays) kept.remove(row);
          else if (passes)
            expected.push({ page: at + 1, score: vector.reduce((sum, value, i) => sum + value * query[i]!, 0) });
        }
        const best = expected.sort((a, b) => b.score - a.score).slice(0, limit);
        const found = kept.nearest({ query, pages: mask, limit });
        expect(found.map(one => one.score.toFixed(3))).toHaveLength(best.length);
        for (const [at, one] of found.entries()) expect(Math.abs(one.score - best[at]!.score)).toBeLessThan(1e-4);
      },
    ),
  );
});

test('[VL1] many rows, holes taken again, and a first look at leading numbers', () => {
  const kept = matrix(64);
  let seed = 7;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
  const vectors = Array.from({ length: 9000 }, () => unitVector(Array.from({ length: 64 }, random), 64)!);
  for (const [at, vector] of vectors.entries()) {
    const row = kept.add(at + 1, 3, fixedVector(vector));
    if (at % 3 === 0) kept.remove(row);
  }
  const mask = new Uint8Array(9001).fill(1);
  const best = (query: Float32Array): number[] =>
    vectors
      .map((vector, at) => ({ page: at + 1, score: vector.reduce((sum, value, i) => sum + value * query[i]!, 0) }))
      .filter(({ page }) => (page - 1) % 3 !== 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ page }) => page);
  for (const query of vectors.slice(0, 20)) {
    expect(kept.nearest({ query, pages: mask, limit: 10 }).map(({ page }) => page)).toEqual(best(query));
    expect(
      kept.nearest({ query, pages: mask, limit: 10, coarse: { dim: 32, candidates: 6000 } }).map(({ page }) => page),
    ).toEqual(best(query));
  }
});

test.each([0.01, 0.15, 0.5, 0.9, 1])(
  '[VL1] exact where %d of many rows pass, far and near ones, short and long numbers',
  share => {
    let seed = 11;
    const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
    const kept = matrix(48);
    const mask = new Uint8Array(10_001);
    const vectors = Array.from({ length: 10_000 }, (_, at) => {
      // Every other one lies on one side, and some have one number that is far larger than the rest.
      const numbers = Array.from({ length: 48 }, () => random() + (at % 2) * 0.3);
      if (at % 11 === 0) numbers[at % 48]! += 4;
      return unitVector(numbers, 48)!;
    });
    for (const [at, vector] of vectors.entries()) {
      kept.add(at + 1, 0, fixedVector(vector));
      if (random() + 0.5 < share) mask[at + 1] = 1;
    }
    for (const query of vectors.slice(0, 30)) {
      const scored = vectors.map((vector, at) => ({
        page: at + 1,
        score: vector.reduce((sum, value, i) => sum + value * query[i]!, 0),
      }));
      const best = scored.filter(({ page }) => mask[page] === 1).sort((a, b) => b.score - a.score);
      const found = kept.nearest({ query, pages: mask, limit: 10 });
      expect(found.every(({ page }) => mask[page] === 1)).toBe(true);
      expect(found).toHaveLength(10);
      for (const [at, one] of found.entries()) expect(Math.abs(one.score - best[at]!.score)).toBeLessThan(1e-4);
    }
  },
);

test('[VL13] several vectors of a block: k blocks come back, each by its nearest, as comparing all by hand gives', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const numbers = fc.array(number, { minLength: 16, maxLength: 16 });
  const given = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(2), numbers), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(given, numbers, fc.integer({ min: 1, max: 12 }), (rows, asked, limit) => {
      const query = unitVector([...asked.slice(1), 1], 16)!;
      const kept = matrix(16);
      const best = new Map<string, number>();
      for (const [page, slot, values] of rows) {
        const vector = unitVector([1, ...values.slice(1)], 16)!;
        kept.add(page, slot, fixedVector(vector));
        const score = vector.reduce((sum, value, i) => sum + value * query[i]!, 0);
        const key = `${page} ${slot}`;
        best.set(key, Math.max(best.get(key) ?? -1, score));
      }
      const found = kept.nearest({ query, pages: new Uint8Array(7).fill(1), limit });
      const expected = [...best.values()].sort((a, b) => b - a).slice(0, limit);
      expect(found).toHaveLength(expected.length);
      expect(new Set(found.map(({ page, slot }) => `${page} ${slot}`)).size).toBe(found.length);
      for (const [at, { score }] of found.entries()) expect(Math.abs(score - expected[at]!)).toBeLessThan(1e-4);
    }),
  );
});

test('[VL9] chance is measured on blocks as a whole, whatever parts they have', () => {
  let seed = 5;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
  const vector = (): Float32Array => unitVector(Array.from({ length: 16 }, random), 16)!;
  const [plain, withParts] = [matrix(16), matrix(16)];
  for (let page = 1; page <= 40; page++) {
    const whole = fixedVector(vector());
    plain.add(page, 0, whole);
    withParts.add(page, 0, whole);
  }
  const query = vector();
  for (let part = 0; part < 30; part++) withParts.add(7, 0, fixedVector(query), true);
  expect(withParts.background(query)).toEqual(plain.background(query));
  expect(plain.background(query)!.deviation).toBeGreaterThan(0);
});

test('[VL2] every filter gives the nearest of what passes it', async () => {
  await opened();
  const skills = ['meeting', 'person', 'pump'];
  for (let at = 0; at < 60; at++) {
    const header = `owner: user-${at % 5}\nat: 2026-01-${String((at % 28) + 1).padStart(2, '0')}\nrank: ${at % 7}\n`;
    await world.put(
      `instances/p${at}.md`,
      pageText(skills[at % 3]!, `p${at}`, `seal number ${at} of the pump`, header),
    );
  }
  await world.storage.vectors.whenSettled();
  const [, some] = await world.storage.index.accessClasses();
  const filters: Partial<LaneFilter>[] = [
    {},
    { skill: 'pump' },
    { skill: 'nothing' },
    { pageType: 'skill' },
    { pageId: 'instances/p7.md' },
    { pageId: 'instances/none.md' },
    { asOf: '2026-01-03T00:00:00.000Z' },
    { clauses: [{ key: 'rank', operator: '>=', value: 6 }] },
    { clauses: [{ key: 'owner', operator: 'equals', value: 'user-3' }], skill: 'person' },
    { scope: { all: false, allowed: [], owned: [], ownerKeys: [] } },
    { scope: { all: false, allowed: [some!.id], owned: [], ownerKeys: [] } },
    {
      scope: {
        all: false,
        allowed: [],
        owned: [{ accessClass: some!.id, ownerField: 'owner' }],
        ownerKeys: ['user-2'],
      },
    },
  ];
  for (const filter of filters) {
    const all = await world.find('seal number 7 of the pump', filter, 1000);
    const few = await world.find('seal number 7 of the pump', filter, 3);
    expect(few.map(hit => hit.score)).toEqual(all.slice(0, 3).map(hit => hit.score));
    const passing = await passingOf(filter);
    expect(all.map(hit => hit.pageId).sort()).toEqual(passing);
  }
});

test('[VL2] a header clause that few pass sees every change', async () => {
  await opened();
  const write = (at: number, rank: number): Promise<void> =>
    world.put(`instances/p${at}.md`, pageText('pump', `p${at}`, `seal number ${at}`, `rank: ${rank}\n`));
  for (let at = 0; at < 120; at++) await write(at, at === 119 ? 1 : 0);
  await world.storage.vectors.whenSettled();
  const find = async (): Promise<string[]> => {
    const hits = await world.find('seal number 5', { clauses: [{ key: 'rank', operator: 'equals', value: 1 }] }, 3);
    return hits.map(hit => hit.pageId).toSorted();
  };
  expect(await find()).toEqual(['instances/p119.md']);
  expect(await find()).toEqual(['instances/p119.md']);
  await write(118, 1);
  expect(await find()).toEqual(['instances/p118.md', 'instances/p119.md']);
  await write(119, 0);
  expect(await find()).toEqual(['instances/p118.md']);
});

/** Pages that pass, found one by one: each is asked for by its id. */
async function passingOf(filter: Partial<LaneFilter>): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < 60; at++) {
    const pageId = `instances/p${at}.md`;
    if (filter.pageId !== undefined && filter.pageId !== pageId) continue;
    const hits = await world.find('seal', { ...filter, pageId });
    if (hits.length > 0) found.push(pageId);
  }
  return found.sort();
}

test('[VL3] what is written is found, what is changed or gone is not', async () => {
  await opened();
  await world.put('instances/a.md', pageText('pump', 'a', 'Dichtungsring aus Kautschuk'));
  await world.storage.vectors.whenSettled();
  expect((await world.find('Kautschukdichtung'))[0]!.pageId).toBe('instances/a.md');
  const before = (await world.find('Dichtungsring aus Kautschuk'))[0]!.score;
  await world.put('instances/a.md', pageText('pump', 'a', 'Schrauben aus Stahl'));
  await world.storage.vectors.whenSettled();
  expect((await world.find('Dichtungsring aus Kautschuk'))[0]!.score).toBeLessThan(before / 2);
  await world.put('instances/a.md', pageText('pump', 'a', 'Schrauben aus Stahl'), { archive: true });
  expect(await world.find('Schrauben aus Stahl')).toEqual([]);
  expect(world.storage.vectors.lane.state()).toMatchObject({ total: 0 });
});

test('[VL4] a restart, a new index and a move embed nothing again', async () => {
  await opened();
  for (const id of ['a', 'b', 'c']) await world.put(`instances/${id}.md`, pageText('pump', id, `about ${id}`));
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBeGreaterThan(0);
  world = await world.reopen();
  await world.storage.vectors.configure('hash');
  await world.storage.vectors.whenSettled();
  await world.storage.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(world.dataDir, `index.sqlite${suffix}`), { force: true });
  world = await openVectorWorld(OPENS, world.dataDir);
  await world.storage.vectors.configure('hash');
  await world.put('instances/d.md', pageText('pump', 'd', 'about a'), { base: 0 });
  await world.storage.rebuild();
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(0);
  expect(world.storage.vectors.lane.state()).toMatchObject({ state: 'ready', done: 4, total: 4 });
  expect(await world.find('about a')).toHaveLength(4);
});

test('[VL4] a damaged file is made anew', async () => {
  await opened();
  await world.put('instances/a.md', pageText('pump', 'a', 'about a'));
  await world.storage.vectors.whenSettled();
  await world.storage.close();
  for (const suffix of ['-wal', '-shm']) rmSync(join(world.dataDir, `vectors.sqlite${suffix}`), { force: true });
  writeFileSync(
    join(world.dataDir, 'vectors.sqlite'),
    'no database at all, and long enough to be taken for one '.repeat(40),
  );
  world = await openVectorWorld(OPENS, world.dataDir);
  await world.storage.vectors.configure('hash');
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(1);
  expect(await world.find('about a')).toHaveLength(1);
});

test('[VL4] a file of the schema before is brought forward and embeds nothing again', async () => {
  await opened();
  await world.put('instances/a.md', pageText('pump', 'a', 'rubber ring'));
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(1);
  await world.storage.close();
  const db = new Database(join(world.dataDir, 'vectors.sqlite'));
  db.exec('DROP TABLE asked; PRAGMA user_version = 1');
  db.close();
  world = await openVectorWorld(OPENS, world.dataDir);
  await world.storage.vectors.configure('hash');
  await world.storage.vectors.whenSettled();
  expect(await world.find('rubber ring')).toHaveLength(1);
  expect(world.embedded()).toBe(0);
});

test('[VL4] texts that nobody has any more are dropped, those in use stay', async () => {
  await opened();
  const long = (from: number): string => Array.from({ length: 1200 }, (_, at) => `line ${from + at}`).join('\n\n');
  await world.put('instances/a.md', pageText('pump', 'a', long(0)));
  await world.put('instances/b.md', pageText('pump', 'b', 'about b'));
  await world.storage.vectors.whenSettled();
  await world.put('instances/a.md', pageText('pump', 'a', 'short now'));
  await world.storage.vectors.whenSettled();
  world = await world.reopen();
  await world.storage.vectors.configure('hash');
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(0);
  world = await world.reopen();
  await world.storage.vectors.configure('hash');
  await world.put('instances/a.md', pageText('pump', 'a', 'line 7\n\nabout b'));
  await world.storage.vectors.whenSettled();
  // Line 7 was dropped and is made again; what b says never was.
  expect(world.embedded()).toBe(1);
});

test('[VL9] chance is measured on blocks that stay the same', async () => {
  await opened();
  const lane = world.storage.vectors.lane;
  for (let at = 0; at < 15; at++)
    await world.put(`instances/p${at}.md`, pageText('pump', `p${at}`, `number ${at} of many`));
  await world.storage.vectors.whenSettled();
  const question = (await lane.question('number of many'))!;
  expect(await lane.background(question)).toBeNull();
  await world.put('instances/q.md', pageText('pump', 'q', 'cauliflower'));
  await world.storage.vectors.whenSettled();
  const background = (await lane.background(question))!;
  expect(background.mean).toBeGreaterThan(-1);
  expect(background.deviation).toBeGreaterThan(0);
  expect(await lane.background(question)).toEqual(background);
  expect((await lane.search(question, EVERYTHING, 1))[0]!.score).toBeGreaterThan(background.mean);
});

test('[VL10] zero wants no vectors and leaves what is stored alone', async () => {
  await opened();
  await world.put('instances/a.md', pageText('pump', 'a', 'about a'));
  await world.storage.vectors.whenSettled();
  expect(await world.storage.vectors.configure('zero')).toBeNull();
  expect(world.storage.vectors.lane.state()).toEqual({ state: 'off', serving: null, done: 0, total: 0 });
  expect(await world.find('about a')).toEqual([]);
  const before = world.embedded();
  await world.storage.vectors.configure('hash');
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(before);
  expect(await world.find('about a')).toHaveLength(1);
});

test('[VL13] a long block is found by its part, stands once, counts once and goes as a whole', async () => {
  await opened();
  const filler = (from: number): string =>
    Array.from({ length: 30 }, (_, at) => `Sentence ${from + at} tells of pipes and pumps.`).join(' ');
  const long = `${filler(0)} The violet zeppelin hovers. ${filler(100)}`;
  await world.put('instances/long.md', pageText('pump', 'long', long));
  for (let at = 0; at < 12; at++)
    await world.put(`instances/s${at}.md`, pageText('pump', `s${at}`, `short text ${at}`));
  await world.storage.vectors.whenSettled();
  const hits = await world.find('Sentence pumps zeppelin hovers', {}, 13);
  expect(hits.map(({ pageId }) => pageId).sort()).toEqual(
    ['long', ...Array.from({ length: 12 }, (_, at) => `s${at}`)].map(id => `instances/${id}.md`).sort(),
  );
  expect(world.storage.vectors.status().serving).toMatchObject({ done: 13, total: 13 });
  // A thousandth of the block says it; as one vector alone it would be as far away as any other.
  const [first] = await world.find('violet zeppelin hovers', {}, 1);
  expect(first!.pageId).toBe('instances/long.md');
  const before = world.embedded();
  await world.put('instances/long.md', pageText('pump', 'long', 'now it is short'));
  await world.storage.vectors.whenSettled();
  expect(world.embedded()).toBe(before + 1);
  expect(
    (await world.find('violet zeppelin hovers', {}, 13)).find(({ pageId }) => pageId.includes('long'))!.score,
  ).toBeLessThan(first!.score);
});
