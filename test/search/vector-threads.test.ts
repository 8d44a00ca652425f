import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failure.ts';
import { fixedVector, unitVector } from '../../src/search/vectors/index.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';
import { matrix, type NearestAsked, type ScanElsewhere } from '../../src/storage/sqlite/vectors/matrix.ts';
import { pagesInMemory } from '../../src/storage/sqlite/vectors/page-facts.ts';
import { scanThreads, type ScanThreads } from '../../src/storage/sqlite/vectors/scan-threads.ts';
import { searchSet } from '../../src/storage/sqlite/vectors/search-set.ts';
import { EVERYTHING, openVectorWorld, otherEmbedder, pageText, until, type VectorWorld } from './vector-world.ts';

const DIM = 48;
const QUIET = pino({ level: 'silent' });
let seed = 3;
const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
const vector = (): Float32Array =>
  unitVector(
    Array.from({ length: DIM }, () => random() + 0.2),
    DIM,
  )!;
const nothing = (): void => undefined;

describe('threads that look at vectors', () => {
  const threads = scanThreads({ log: QUIET, size: 2, rowsOfRange: 1000 });
  const scan: ScanElsewhere = (rows, asked) => threads.scan(rows, asked);
  afterAll(() => threads.stop());

  async function started(): Promise<void> {
    threads.ready();
    await threads.settled();
    expect(threads.ready()).toBe(true);
  }

  test('[VL16] find what is found without them, while rows come, go and need more memory', async () => {
    await started();
    const kept = matrix(DIM);
    const rows: number[] = [];
    for (let round = 0; round < 6; round++) {
      for (let at = 0; at < 1500; at++)
        rows.push(kept.add(1 + (rows.length >> 1), rows.length & 1, fixedVector(vector())));
      for (let at = round; at < rows.length; at += 7) kept.remove(rows[at]!);
      for (let at = round; at < rows.length; at += 7) rows[at] = kept.add(1 + (at >> 1), at & 1, fixedVector(vector()));
      const all = new Uint8Array(rows.length).fill(1, 1);
      for (const pages of [
        all,
        all.map((_, at) => (at % 3 === 1 ? 1 : 0)),
        all.map((_, at) => (at % 50 === 1 ? 1 : 0)),
      ])
        for (const limit of [1, 10, 300]) {
          const asked: NearestAsked = { query: vector(), pages, limit };
          const found = await kept.nearestElsewhere(asked, scan, nothing);
          expect(found).toEqual(kept.nearest(asked));
          expect(found!.length).toBeGreaterThan(0);
        }
      const coarse = { query: vector(), pages: all, limit: 10, coarse: { dim: 16, candidates: 20_000 } };
      expect(await kept.nearestElsewhere(coarse, scan, nothing)).toEqual(
        kept.nearest({ ...coarse, coarse: undefined }),
      );
    }
  });

  test('[VL16] a row among the best that changed meanwhile makes the answer void, any other does not', async () => {
    await started();
    const kept = matrix(DIM);
    const rows = Array.from({ length: 3000 }, (_, at) => kept.add(at + 1, 0, fixedVector(vector())));
    const asked: NearestAsked = { query: vector(), pages: new Uint8Array(3001).fill(1, 1), limit: 5 };
    const best = kept.nearest({ ...asked, limit: 3000 });
    const rowOf = (at: number): number => rows[best[at]!.page - 1]!;
    expect(await kept.nearestElsewhere(asked, scan, () => kept.remove(rowOf(2999)))).toEqual(best.slice(0, 5));
    expect(await kept.nearestElsewhere(asked, scan, () => kept.remove(rowOf(3)))).toBeNull();
    const reused = () => void kept.add(best[3]!.page, 0, fixedVector(vector()));
    expect(await kept.nearestElsewhere(asked, scan, reused)).toEqual([...best.slice(0, 3), ...best.slice(4, 6)]);
  });

  test('[VL16] are called off before, while they wait and while they look', async () => {
    await started();
    const kept = matrix(DIM);
    for (let at = 0; at < 3000; at++) kept.add(at + 1, 0, fixedVector(vector()));
    const asked: NearestAsked = { query: vector(), pages: new Uint8Array(3001).fill(1, 1), limit: 5 };
    const reason = new Error('nobody waits');
    await expect(
      kept.nearestElsewhere(asked, (rows, some) => threads.scan(rows, some, AbortSignal.abort(reason)), nothing),
    ).rejects.toBe(reason);
    const ending = new AbortController();
    const under = Array.from({ length: 20 }, () =>
      kept.nearestElsewhere(asked, (rows, some) => threads.scan(rows, some, ending.signal), nothing),
    );
    ending.abort(reason);
    for (const one of await Promise.allSettled(under)) expect(one).toMatchObject({ status: 'rejected', reason });
    expect(await kept.nearestElsewhere(asked, scan, nothing)).toEqual(kept.nearest(asked));
  });

  test('[VL16] when too many wait a search is refused with a code, and the next one is answered', async () => {
    await started();
    const kept = matrix(DIM);
    for (let at = 0; at < 500; at++) kept.add(at + 1, 0, fixedVector(vector()));
    const asked: NearestAsked = { query: vector(), pages: new Uint8Array(501).fill(1, 1), limit: 5 };
    const all = await Promise.allSettled(
      Array.from({ length: 400 }, () => kept.nearestElsewhere(asked, scan, nothing)),
    );
    const refused = all.filter(one => one.status === 'rejected').map(one => one.reason as unknown);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(400);
    for (const one of refused) expect(one).toMatchObject({ name: 'Failure', code: 'overloaded' });
    expect(await kept.nearestElsewhere(asked, scan, nothing)).toEqual(kept.nearest(asked));
  });
});

test('[VL16] a thread that fails costs a search nothing but its time; what is refused stays refused', async () => {
  const kept = matrix(DIM);
  const pages = pagesInMemory();
  for (let at = 1; at <= 300; at++) {
    pages.set(at, { access_class: 1, page_type: 'instance', skill: 'pump', at: null, scenario: null });
    kept.add(at, 0, fixedVector(vector()));
  }
  const query = vector();
  const search = (scan: ScanThreads['scan']) =>
    searchSet(kept, query, EVERYTHING, 5, {
      pages,
      columns: { narrow: () => true },
      reads: {
        passing: found => found.map(({ page, score }) => ({ pageId: `${page}`, anchor: '', content: '', score })),
        pagesPassing: () => [],
        pageNo: () => undefined,
      },
      kept: new Map(),
      coarse: undefined,
      threads: { ready: () => true, scan },
      settle: nothing,
      threadsFrom: 0,
    });
  const expected = kept.nearest({ query, pages: pages.mask(EVERYTHING), limit: 5 }).map(one => one.score);
  const found = await search(() => Promise.reject(new Error('the thread ended')));
  expect(found.map(one => one.score)).toEqual(expected);
  await expect(search(() => Promise.reject(new Failure('overloaded', 'too many')))).rejects.toMatchObject({
    code: 'overloaded',
  });
});

describe('a lane whose every scan is left to threads', () => {
  let world: VectorWorld;
  afterEach(() => world?.end());

  async function opened(): Promise<VectorWorld> {
    const opens = { hash: hashEmbedder, other: () => otherEmbedder('other') };
    world = await openVectorWorld(opens, undefined, async source => opens[source as 'hash'](), 0);
    await world.storage.vectors.configure('hash');
    for (let at = 0; at < 40; at++)
      await world.put(`instances/p${at}.md`, pageText('pump', `p${at}`, `seal number ${at}`, `rank: ${at % 4}\n`));
    await world.storage.vectors.whenSettled();
    await world.find('seal number 1');
    await world.storage.vectors.whenSettled();
    return world;
  }

  /** Whether something takes a turn of the event loop. */
  async function isLater(promise: Promise<unknown>): Promise<boolean> {
    let over = false;
    const end = (): void => void (over = true);
    promise.then(end, end);
    for (let at = 0; at < 100; at++) await Promise.resolve();
    const later = !over;
    await promise;
    return later;
  }

  test('[VL16] leaves the event loop alone, and answers as filters and writes want it', async () => {
    const { storage, find, put, log } = await opened();
    const question = (await storage.vectors.lane.question('seal number 7'))!;
    expect(await isLater(storage.vectors.lane.search(question, EVERYTHING, 3))).toBe(true);
    expect((await find('seal number 7'))[0]!.pageId).toBe('instances/p7.md');
    const clauses = [{ key: 'rank', operator: 'equals' as const, value: 2 }];
    expect((await find('seal number 7', { clauses }, 50)).map(hit => hit.pageId).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, at) => `instances/p${at * 4 + 2}.md`).toSorted(),
    );
    expect(await find('seal number 7', { pageId: 'instances/p9.md' })).toHaveLength(1);
    await put('instances/p7.md', pageText('pump', 'p7', 'violet zeppelin', 'rank: 2\n'));
    await storage.vectors.whenSettled();
    expect((await find('violet zeppelin'))[0]!.pageId).toBe('instances/p7.md');
    await put('instances/p7.md', pageText('pump', 'p7', 'violet zeppelin'), { archive: true });
    expect(await find('violet zeppelin', {}, 50)).toHaveLength(39);
    expect(log.filter(line => Number(line['level']) >= 50)).toEqual([]);
  });

  test('[VL16] a page that changes while threads look is found by its text before or by that after, never by a mix', async () => {
    const { storage, find, put } = await opened();
    const scores = new Set<number>();
    const texts = ['violet zeppelin', 'brown cauliflower'];
    for (const text of texts) {
      await put('instances/p3.md', pageText('pump', 'p3', text));
      await storage.vectors.whenSettled();
      scores.add((await find('violet zeppelin', { pageId: 'instances/p3.md' }))[0]!.score);
    }
    expect(scores.size).toBe(2);
    const seen: number[] = [];
    for (let round = 0; round < 30; round++) {
      const under = [find('violet zeppelin', {}, 50), find('violet zeppelin', {}, 50)];
      await put('instances/p3.md', pageText('pump', 'p3', texts[round % 2]!));
      under.push(find('violet zeppelin', {}, 50));
      for (const hits of await Promise.all(under))
        for (const hit of hits) if (hit.pageId === 'instances/p3.md') seen.push(hit.score);
    }
    expect(seen.length).toBeGreaterThan(0);
    for (const one of seen) expect(scores).toContain(one);
  });

  test('[VL16] while another model comes every search is answered, by one model alone', async () => {
    const { storage, find } = await opened();
    const text = 'seal number 7';
    const expected = await find(text);
    await storage.vectors.configure('other');
    let searches = 0;
    await until(async () => {
      searches += 1;
      // Both know spelling alone: the same cosines, if a question never meets the vectors of the other one, which are opposite.
      const some = await Promise.all([find(text), find(text), find(text)]);
      for (const hits of some) expect(hits.map(hit => hit.pageId)).toEqual(expected.map(hit => hit.pageId));
      return storage.vectors.lane.state().serving?.model === 'other';
    });
    expect(searches).toBeGreaterThan(0);
    await storage.vectors.whenSettled();
    expect((await find(text)).map(hit => hit.pageId)).toEqual(expected.map(hit => hit.pageId));
  });

  test('[VL16] is closed while threads look, and every search has ended by then', async () => {
    const { find, reopen } = await opened();
    let ended = 0;
    for (let at = 0; at < 30; at++)
      find('seal number 7').then(
        hits => (ended += hits.length > 0 ? 1 : 0),
        () => undefined,
      );
    // Questions take a turn before they are looked for.
    await until(() => ended > 0);
    world = await reopen();
    expect(ended).toBe(30);
  });
});
