import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instancePage, skillPage, world, type Caller, type World } from '../world.ts';

/** Two servers that differ in nothing but the words of pages that the caller may not see. */
const SECRETS = [
  ['Zwetschgenmus', 'Geheimrezept', 'ESC-7777', 'quarantine', 'Sonderkündigungsfrist'],
  ['Quittengelee', 'Sondervorgang', 'ESC-8888', 'redundancy', 'Bestandsgarantieklausel'],
] as const;
const VISIBLE = [
  'Das Ventil am Kühlhaus öffnet nicht, die Dichtung ist verschlissen.',
  'The gasket of the pump was replaced on Monday.',
  'Fehler ESC-4012 am Etikettierer, Meldung nach drei Stunden.',
  'Anleitung für die Reinigung: warmes Wasser, keine Säure.',
];

let worlds: World[] = [];
let callers: Caller[] = [];
beforeAll(async () => {
  worlds = await Promise.all(SECRETS.map(secrets => build(secrets)));
  callers = await Promise.all(worlds.map(w => w.as({ sub: 'ann' })));
});
afterAll(async () => {
  for (const w of worlds) await w.end();
});

async function build(secrets: readonly string[]): Promise<World> {
  const w = await world();
  const hidden = { acl: { read: ['board'] }, title: secrets[0] };
  const pages: Record<string, string> = {
    'markdown/skills/note.md': skillPage('note'),
    'markdown/skills/diary.md': skillPage('diary', { visibility: 'owner', owner_field: 'author' }),
  };
  for (const [at, text] of VISIBLE.entries())
    pages[`markdown/instances/note/v${at}.md`] = instancePage('note', `v${at}`, {}, `${text}\n`);
  for (const [at, secret] of secrets.entries()) {
    pages[`markdown/instances/note/h${at}.md`] = instancePage('note', `h${at}`, hidden, `Das ${secret} ist geheim.\n`);
    pages[`markdown/instances/diary/d${at}.md`] = instancePage('diary', `d${at}`, { author: 'bea' }, `${secret}\n`);
  }
  await w.put(pages);
  await w.settled();
  return w;
}

/** All that both servers say, without how long it took. */
async function said(args: object): Promise<unknown[]> {
  const answers = await Promise.all(callers.map(caller => caller.ask('search', args)));
  return answers.map(({ payload, meta, error }) => ({ payload, meta, error }));
}
/** The first question that they answer differently. */
async function toldApart(questions: readonly object[]): Promise<object | null> {
  for (const question of questions) {
    const [first, second] = await said(question);
    if (!isDeepStrictEqual(first, second)) return { question, first, second };
  }
  return null;
}

/** Spellings and neighbours of a word by which somebody may ask for it. */
const guesses = (word: string): string[] => [
  word,
  word.toUpperCase(),
  word.slice(0, -1),
  word.slice(1),
  `${word.slice(0, 3)}x${word.slice(4)}`,
  `${word.slice(0, 2)}${word.charAt(3)}${word.charAt(2)}${word.slice(4)}`,
  word.replace('-', ' '),
  word.replaceAll('ü', 'ue'),
  `"${word}"`,
  `${word}s`,
  `Ventil ${word}`,
  `${word} ESC-4012 Dichtung`,
  `Was ist mit dem ${word} am Kühlhaus?`,
];

const ASKED = SECRETS.flat().flatMap(guesses);

test.each([
  ['hits, counts and explanations', 1, { explain: true }],
  ['scores without explanations', 4, {}],
  ['coverage', 3, { explain: true, min_coverage: 0.6 }],
  ['pages', 4, { explain: true, granularity: 'page' }],
  ['filters that match nothing', 5, { filter: { kind: 'x' }, explain: true }],
] as const)('[SR17] %s tell nothing of words that stand in hidden pages only', async (_name, every, args) => {
  const asked = ASKED.filter((_, at) => at % every === 0).map(q => ({ q, ...args }));
  const several = SECRETS[0].map(word => ({ queries: [word, 'Ventil', guesses(word)[4]!], ...args }));
  expect(await toldApart([...asked, ...several])).toBeNull();
});

test('[SR17] one page that is hidden answers like one that is missing', async () => {
  for (const q of ASKED.slice(0, 13)) {
    const [hidden] = await said({ q, page_id: 'markdown/instances/note/h0.md', explain: true });
    const [missing] = await said({ q, page_id: 'markdown/instances/note/nobody.md', explain: true });
    expect(hidden).toEqual(missing);
  }
});

test('[SR17] nor do questions made of parts of hidden and visible words', async () => {
  const letters = SECRETS.flat().flatMap(word => [word, word.slice(0, 5), word.slice(-6)]);
  const words = fc.constantFrom(...letters, ...VISIBLE.join(' ').split(' '));
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 6 }), async parts => {
      expect(await toldApart([{ q: parts.join(' '), explain: true }])).toBeNull();
    }),
    { numRuns: 80, seed: 20_261_130 },
  );
});

test('[SR17] the owner and the board see them, so the attack could succeed', async () => {
  const [w] = worlds;
  const board = await w!.as({ sub: 'max', groups: ['board'] });
  const bea = await w!.as({ sub: 'bea' });
  expect((await board.call('search', { q: 'Geheimrezept' })).hits.length).toBeGreaterThan(0);
  expect((await bea.call('search', { q: 'Geheimrezept' })).hits.length).toBeGreaterThan(0);
  const typo = await board.call('search', { q: 'Geheimrezpet', explain: true });
  expect(typo.explain.corrections).toEqual([{ word: 'geheimrezpet', instead: 'geheimrezept' }]);
});
