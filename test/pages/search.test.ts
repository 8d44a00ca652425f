import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

let w: World;
let ann: Caller;
const note = (id: string): string => `markdown/instances/note/${id}.md`;

beforeAll(async () => {
  w = await world();
  ann = await w.as({ sub: 'ann' });
  await w.put({
    'markdown/skills/note.md': skillPage('note'),
    'markdown/skills/log.md': skillPage('log'),
    [note('label')]: instancePage(
      'note',
      'label',
      { title: 'Etikettensensor', status: 'open', at: '2026-01-05T09:00:00Z', count: 5 },
      '# Fault\n\nThe label sensor BR-220-0471 reports ESC-4012. ^fault\n\nFirmware 1.0.21 does not help.\n',
    ),
    [note('colour')]: instancePage(
      'note',
      'colour',
      { title: 'Farbe', status: 'closed', at: '2026-04-05T09:00:00Z' },
      'RAL 9005 for all frames.\n',
    ),
    'markdown/instances/log/l1.md': instancePage(
      'log',
      'l1',
      { tags: ['a'] },
      'A sensor was cleaned. Café customer::acme.\n',
    ),
    'markdown/instances/note/plan.md': instancePage('note', 'label', { scenario: 'plan' }, 'The sensor is replaced.\n'),
  });
});
afterAll(() => w.end());

const pagesOf = (payload: { hits: { page_id: string }[] }): string[] =>
  [...new Set(payload.hits.map(hit => hit.page_id))].sort();
const found = (args: object) => ann.call('search', args).then(pagesOf);

describe('search', () => {
  test('[PG56] a hit names page, block, text and header', async () => {
    const { hits, granularity } = await ann.call('search', { q: 'ESC-4012', skill: 'note' });
    expect(granularity).toBe('block');
    expect(hits).toHaveLength(1);
    expect(hits[0]).toEqual({
      page_id: note('label'),
      slug: 'label',
      skill: 'note',
      page_type: 'instance',
      anchor: 'fault',
      snippet: 'The label sensor BR-220-0471 reports ESC-4012.',
      score: expect.any(Number),
      similarity: 0,
      frontmatter_excerpt: expect.objectContaining({ title: 'Etikettensensor', status: 'open' }),
    });
  });

  test.each(['BR-220-0471', '"1.0.21"', 'esc 4012', 'label sensor', 'Etikettensensor'])(
    '[PG56] %j is found as typed',
    async q => {
      expect(await found({ q })).toContain(note('label'));
    },
  );

  test('[PG56] accents fold, ids are searchable as typed', async () => {
    expect(await found({ q: 'cafe' })).toEqual(['markdown/instances/log/l1.md']);
    expect(await found({ q: 'customer::acme', page_type: 'instance' })).toEqual(['markdown/instances/log/l1.md']);
  });

  test('[PG56] page granularity has one hit a page and no anchor', async () => {
    const { hits } = await ann.call('search', { q: 'sensor', granularity: 'PAGE', page_type: 'instance' });
    expect(hits.map((hit: { anchor: null }) => hit.anchor)).toEqual([null, null]);
    expect(pagesOf({ hits })).toEqual(['markdown/instances/log/l1.md', note('label')]);
  });

  test('[PG56] every filter narrows the lane itself', async () => {
    expect(await found({ q: 'sensor', skill: 'log' })).toEqual(['markdown/instances/log/l1.md']);
    expect(await found({ q: 'sensor', skill_id: 'log' })).toEqual(['markdown/instances/log/l1.md']);
    expect(await found({ q: 'sensor', page_id: note('label') })).toEqual([note('label')]);
    expect(await found({ q: 'sensor RAL', filter: { status: 'open' } })).toEqual([note('label')]);
    expect(await found({ q: 'sensor RAL', filter: { status: { in: ['open', 'closed'] } } })).toEqual([
      note('colour'),
      note('label'),
    ]);
    expect(await found({ q: 'sensor RAL', filter: { at: { '>=': '2026-02-01' } } })).toEqual([note('colour')]);
    expect(await found({ q: 'sensor', filter: { count: 5 } })).toEqual([note('label')]);
    expect(await found({ q: 'sensor', filter: { count: '5' } })).toEqual([]);
    expect(await found({ q: 'sensor', filter: { status: null }, page_type: 'instance' })).toEqual([
      'markdown/instances/log/l1.md',
    ]);
    expect(await found({ q: 'sensor', filter: { tags: ['a'] } })).toEqual(['markdown/instances/log/l1.md']);
    expect(await found({ q: 'sensor', filter: { status: { not: 'closed' } } })).toEqual([note('label')]);
  });

  test('[PG56] what passes a filter is found however much stands before it (E283)', async () => {
    const before = Array.from({ length: 220 }, (_, at) => [
      note(`kuckuck-${at}`),
      instancePage('note', `kuckuck-${at}`, { title: 'Kuckuck' }, 'Kuckuck Kuckuck\n'),
    ]);
    const last = instancePage('log', 'last', { status: 'late' }, 'Am Ende einer langen Zeile steht ein Kuckuck.\n');
    await w.put(Object.fromEntries([...before, ['markdown/instances/log/last.md', last]]));
    expect(await found({ q: 'Kuckuck', k: 200 })).toHaveLength(200);
    for (const narrow of [{ filter: { status: 'late' } }, { skill: 'log' }])
      expect(await found({ q: 'Kuckuck', k: 1, ...narrow })).toEqual(['markdown/instances/log/last.md']);
  });

  test('[PG56] a bad filter answers issues and searches nothing', async () => {
    const payload = await ann.call('search', { q: 'sensor', filter: { status: { like: 'o%' } } });
    expect(payload.hits).toEqual([]);
    expect(payload.issues).toEqual([expect.objectContaining({ severity: 'error', location: 'filter.status' })]);
  });

  test('[PG57] [PG58] overlay and time cut', async () => {
    expect(await found({ q: 'replaced', page_type: 'instance' })).toEqual([]);
    expect(await found({ q: 'replaced', scenario: 'plan', page_type: 'instance' })).toEqual([
      'markdown/instances/note/plan.md',
    ]);
    expect(await found({ q: 'sensor RAL', as_of: '2026-02-01T00:00:00Z', page_type: 'instance' })).toEqual([
      'markdown/instances/log/l1.md',
      note('label'),
    ]);
  });

  test('[PG56] several phrasings are one ranking', async () => {
    const { hits } = await ann.call('search', { queries: ['ESC-4012', ' ', 'sensor', 'sensor'], granularity: 'page' });
    expect(hits[0].page_id).toBe(note('label'));
    expect(hits.length).toBeGreaterThan(1);
  });

  test.each([
    {},
    { q: '' },
    { queries: [] },
    { queries: [' '] },
    { q: 'a', queries: ['b'] },
    { q: 'a', page_type: 'x' },
    { q: 'a', k: -1 },
  ])('[PG56] %j is invalid_params', async args => {
    expect(await ann.fails('search', args)).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
  });

  test('[PG56] k bounds the hits; a huge one is cut and said so', async () => {
    expect((await ann.call('search', { q: 'sensor', k: 1 })).hits).toHaveLength(1);
    expect((await ann.call('search', { q: 'sensor', k: 0 })).hits).toEqual([]);
    expect((await ann.ask('search', { q: 'sensor', k: 1_000_000_000 })).meta).toEqual({ k: 200 });
  });

  test('[PG56] a written page is found as soon as it is answered, and its old words no more', async () => {
    const id = note('fresh');
    await ann.call('update_page', { page_id: id, content: instancePage('note', 'fresh', {}, 'Zwetschgenknödel\n') });
    expect(await found({ q: 'Zwetschgenknödel' })).toEqual([id]);
    await ann.call('update_page', { page_id: id, content: instancePage('note', 'fresh', {}, 'Marillenknödel\n') });
    expect(await found({ q: 'Zwetschgenknödel' })).toEqual([]);
    expect(await found({ q: 'Marillenknödel' })).toEqual([id]);
  });

  test('[PG56] no text makes it fail', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            '*',
            '^',
            ':',
            '-',
            '(',
            ')',
            'NEAR',
            'AND',
            'OR',
            'NOT',
            '\0',
            'sensor',
            '{',
            '}',
            '+',
            ' ',
          ),
        )
        .map(p => p.join('')),
    );
    await fc.assert(
      fc.asyncProperty(nasty, async q => {
        const answer = await ann.ask('search', { q });
        const blank = q.trim() === '';
        expect([answer.error?.code, Array.isArray(answer.payload?.hits)]).toEqual(
          blank ? [-32602, false] : [undefined, true],
        );
      }),
      { numRuns: 150 },
    );
  });
});
