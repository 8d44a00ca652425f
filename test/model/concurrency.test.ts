import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { instancePage, skillPage, world, type Caller, type Payload, type World } from '../world.ts';

// Seconds alone, much more beside other work.
vi.setConfig({ testTimeout: 180_000 });

/** Clients, and pages that all of them write. */
const CLIENTS = 32;
const PAGES = 200;
/** Writes of one client to pages of each kind. */
const WRITES = 25;
/** Writes of one client on an exact base. */
const WINS = 2;

let w: World;
let clients: Caller[];
beforeAll(async () => {
  w = await world();
  await w.put({ 'markdown/skills/note.md': skillPage('note') });
  clients = await Promise.all(Array.from({ length: CLIENTS }, (_, no) => w.as({ sub: `client-${no}` })));
});
afterAll(() => w.end());

const pageId = (no: number): string => `markdown/instances/note/p${no}.md`;
const content = (no: number, body: string): string => instancePage('note', `p${no}`, {}, body);
const everyClient = <T>(work: (client: Caller, no: number) => Promise<T>): Promise<T[]> =>
  Promise.all(clients.map(work));
/** The page that a client writes in its n-th turn: others write it at about the same time. */
const turnOf = (client: number, turn: number): number => (turn * 8 + (client % 8)) % PAGES;

interface Write {
  readonly page: number;
  readonly mark: string;
  readonly answer: Payload;
}

/** Versions of a page, oldest first, as their bodies. */
async function historyOf(no: number): Promise<string[]> {
  const versions: string[] = [];
  for (let version = 1; ; version += 1) {
    const { unified } = await w.admin.call('diff_page', { page_id: pageId(no), from: 'v1', to: `v${version}` });
    if (unified === null) return versions;
    versions.push(unified);
  }
}

test('[PG86] E382 writes without a base: each is a version, dense and in the history', async () => {
  const writes = (
    await everyClient(async (client, no) => {
      const made: Write[] = [];
      for (let turn = 0; turn < WRITES; turn += 1) {
        const [page, mark] = [turnOf(no, turn), `free ${no} ${turn}.`];
        const answer = await client.call('update_page', { page_id: pageId(page), content: content(page, `${mark}\n`) });
        made.push({ page, mark, answer });
      }
      return made;
    })
  ).flat();
  expect(writes.filter(({ answer }) => !answer.ok)).toEqual([]);
  for (const [page, mine] of byPage(writes)) {
    const numbers = mine.map(({ answer }) => Number(answer.new_version.slice(1))).toSorted((a, b) => a - b);
    expect(numbers, `versions of ${page}`).toEqual(numbers.map((_, at) => at + 1));
    const last = mine.find(({ answer }) => answer.new_version === `v${mine.length}`)!;
    const head = await w.admin.call('expand', { page_id: pageId(page) });
    expect([head.version, head.body]).toEqual([`v${mine.length}`, `${last.mark}\n`]);
    const { snapshots } = await w.admin.call('list_snapshots', { page_id: pageId(page) });
    expect(snapshots).toHaveLength(mine.length);
  }
});

test('[PG86] E382 writes on the version that was read, over all pages: every line is kept, every loser told', async () => {
  const losers: Payload[] = [];
  await everyClient(async (client, no) => {
    for (let turn = 0; turn < WRITES; turn += 1) {
      const page = turnOf(no, turn);
      for (let written = false; !written;) {
        const { version, body } = await client.call('expand', { page_id: pageId(page) });
        const draft = content(page, `${body}\nbased ${no} ${turn}.\n`);
        const args = {
          page_id: pageId(page),
          content: draft,
          base_version: version,
          require_exact_base: turn % 2 === 0,
        };
        const answer = await client.call('update_page', args);
        written = answer.ok;
        if (!written) losers.push(answer);
      }
    }
  });
  for (const answer of losers)
    expect(answer).toMatchObject({ issues: [{ code: 'conflict', location: 'base_version' }] });
  for (let page = 0; page < PAGES; page += 1) {
    const marks = clients.flatMap((_, no) =>
      Array.from({ length: WRITES }, (__, turn) => turn)
        .filter(turn => turnOf(no, turn) === page)
        .map(turn => `based ${no} ${turn}.`),
    );
    const { body, version } = await w.admin.call('expand', { page_id: pageId(page) });
    for (const mark of marks) expect(body.split(mark), `${mark} in page ${page}`).toHaveLength(2);
    // One version a write, on top of those that the page had.
    expect(version).toBe(`v${2 * marks.length}`);
  }
});

test('[PG86] E382 writes on an exact base: one of those who saw a version wins, every other is told the head', async () => {
  const page = PAGES + 1;
  await w.put({ [pageId(page)]: content(page, 'begin\n') });
  const losers: { seen: string; answer: Payload }[] = [];
  await everyClient(async (client, no) => {
    for (let [turn, won] = [0, 0]; won < WINS; turn += 1) {
      const { version: seen, body } = await client.call('expand', { page_id: pageId(page) });
      const draft = content(page, `${body}line ${no} ${turn}\n`);
      const args = { page_id: pageId(page), content: draft, base_version: seen, require_exact_base: true };
      const answer = await client.call('update_page', args);
      if (answer.ok) won += 1;
      else losers.push({ seen, answer });
    }
  });
  for (const { seen, answer } of losers) {
    expect(answer).toMatchObject({ issues: [{ code: 'conflict', location: 'base_version' }] });
    expect(answer.head_content).toEqual(expect.any(String));
    expect(answer.head_version).not.toBe(seen);
  }
  expect(losers.length).toBeGreaterThan(0);
  const { version, body } = await w.admin.call('expand', { page_id: pageId(page) });
  const lines = body.trim().split('\n');
  // Every success read all successes before it: their lines are all there, once.
  expect(lines.length).toBe(1 + CLIENTS * WINS);
  expect(new Set(lines).size).toBe(lines.length);
  expect(version).toBe(`v${lines.length}`);
  expect(await historyOf(page)).toHaveLength(lines.length);
});

test('[PG86] E382 writes on a base that is merged: nobody’s line is lost', async () => {
  const page = PAGES + 2;
  const places = Array.from({ length: CLIENTS }, (_, no) => `Place ${no}:`);
  await w.put({ [pageId(page)]: content(page, `${places.join('\n\n')}\n`) });
  const answers = await everyClient((client, no) => {
    const body = places.map((place, at) => (at === no ? `${place} taken by client ${no}` : place)).join('\n\n');
    return client.call('update_page', {
      page_id: pageId(page),
      content: content(page, `${body}\n`),
      base_version: 'v1',
    });
  });
  const { body, version } = await w.admin.call('expand', { page_id: pageId(page) });
  const taken = answers.flatMap((answer, no) => (answer.ok ? [`Place ${no}: taken by client ${no}`] : []));
  for (const answer of answers.filter(({ ok }) => !ok)) expect(answer.issues).toMatchObject([{ code: 'conflict' }]);
  expect(body.split('\n\n').map((line: string) => line.trim())).toEqual(
    places.map((place, no) =>
      taken.includes(`${place} taken by client ${no}`) ? `${place} taken by client ${no}` : place,
    ),
  );
  expect(version).toBe(`v${1 + taken.length}`);
  expect(answers.filter(({ auto_merged }) => auto_merged).length).toBe(taken.length - 1);
});

function byPage(writes: readonly Write[]): Map<number, Write[]> {
  const pages = new Map<number, Write[]>();
  for (const write of writes) pages.set(write.page, [...(pages.get(write.page) ?? []), write]);
  return pages;
}
