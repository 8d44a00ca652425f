import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LaneFilter, LexicalAnswer } from '../../src/search/ports.ts';
import { docWriter, type DocWriter } from '../../src/storage/sqlite/lexical/doc-writer.ts';
import { lexicalReader } from '../../src/storage/sqlite/lexical/lexical-reader.ts';
import { INDEX_TABLES, SLOTS } from '../../src/storage/sqlite/index/tables.ts';
import { note, openWorld, put, type World } from './world.ts';

const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};
/** Documents that move together here, so that they do so often. */
const ENOUGH = 1500;
const pageId = (id: string): string => `markdown/instances/note/${id}.md`;

describe('asked a whole question', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  async function write(id: string, body: string, header = ''): Promise<void> {
    const base = (await world.storage.pages.head(pageId(id)))?.version ?? 0;
    await world.storage.pages.commit({ puts: [put(pageId(id), note(id, body, header), base)] });
  }
  const ask = (text: string, filter: Partial<LaneFilter> = {}, limit = 20): Promise<LexicalAnswer> =>
    world.storage.lexical.ask({ text }, { ...EVERYTHING, ...filter }, limit);
  const ids = async (text: string, filter: Partial<LaneFilter> = {}): Promise<string[]> =>
    (await ask(text, filter)).hits.map(hit => hit.pageId.slice('markdown/instances/note/'.length, -3));
  const classOf = async (id: string): Promise<number> => (await world.storage.index.page(pageId(id)))!.accessClass;
  const scopeOf = (...allowed: number[]): LaneFilter['scope'] => ({ all: false, allowed, owned: [], ownerKeys: [] });

  test('[SW4] a compound is found by its first and last part, whole ones first', async () => {
    await write('whole', 'Der Wartungsplan der Presse hängt aus.');
    await write('parts', 'Ein Plan für die Wartung');
    await write('none', 'Die Presse steht.');
    expect(await ids('Wartungsplan')).toEqual(['whole', 'parts']);
    expect((await ids('Wartung')).toSorted()).toEqual(['parts', 'whole']);
    expect((await ids('Pläne')).toSorted()).toEqual(['parts', 'whole']);
  });

  test('[SW2] a header that names the language of a page or skill is believed, whatever its words say', async () => {
    const text = 'Wartungsplan, as they say of the press in the hall.';
    await write('plans', text);
    expect(await ids('Wartung')).toEqual([]);
    for (const tag of ['de', 'de-AT', 'DE']) {
      await write('plans', text, `lang: ${tag}\n`);
      expect(await ids('Wartung')).toEqual(['plans']);
      await write('plans', text, 'lang: en-GB\n');
      expect(await ids('Wartung')).toEqual([]);
    }
    await write('plans', text, 'lang: tlh\n');
    expect(await ids('Wartung')).toEqual([]);
    const skill = 'markdown/skills/plan.md';
    const content = `---\ntype: skill\nid: plan\nlang: de\n---\n${text}\n`;
    await world.storage.pages.commit({ puts: [put(skill, content, 0)] });
    expect((await ask('Wartung')).hits.map(hit => hit.pageId)).toEqual([skill]);
  });

  test.each([
    ['the 5mm drill', ['5 mm', '5mm', '5-mm']],
    ['the 5 mm drill', ['5 mm', '5mm', '5-mm']],
    ['a motor of 1,5 kW', ['1,5 kW', '1.5kW', '1.5 kW', '1,5kW']],
    ['a motor of 1.5kW', ['1,5 kW', '1.5kW', '1.5 kW', '1,5kW']],
    ['paint RAL9005 here', ['RAL 9005', 'RAL9005', 'ral-9005']],
    ['type ESC-4012 fits', ['ESC 4012', 'ESC4012', 'esc-4012']],
    ['type ESC4012 fits', ['ESC 4012', 'ESC4012', 'esc-4012']],
    ['der E-Bike-Akku lädt', ['E-Bike-Akku', 'EBike-Akku', 'Akku', 'Ebike']],
  ])('[SW3] "%s" is found by %j', async (text, asked) => {
    await write('it', text);
    for (const n of ['a', 'b', 'c']) await write(n, `another text ${n} of 1,7 and 9 W, RAL 7001`);
    for (const question of asked) expect((await ids(question))[0]).toBe('it');
  });

  test('[SW13] two words are also one, and one that no page says is also two', async () => {
    await write('one', 'A screwdriver is on the bench.');
    await write('two', 'The data set was copied.');
    await write('other', 'A driver of a car, data of the year, and a set of cups.');
    const { hits, corrections } = await ask('screw driver');
    expect(hits[0]).toMatchObject({ pageId: pageId('one'), matched: ['driver', 'screw'], coverage: 1 });
    expect(corrections).toEqual([]);
    expect((await ids('dataset'))[0]).toBe('two');
    const scope = scopeOf(await classOf('one'));
    await write('hidden', 'A toothbrush', 'acl:\n  read: [staff]\n');
    expect(await ids('tooth brush', { scope })).toEqual([]);
    expect(await ids('screw driver', { scope })).toEqual(['one', 'other']);
  });

  test('[SW12] a piece of a code is found in longer ones where nothing in reach is just that', async () => {
    await write('long', 'Teil AB12-CD34EF liegt im Regal.');
    await write('figures', 'Charge 7700123456 ist frei.');
    await write('none', 'Teil Nummer sieben.');
    expect(await ids('CD34')).toEqual(['long']);
    expect(await ids('b12-cd')).toEqual(['long']);
    expect(await ids('00123')).toEqual(['figures']);
    expect((await ask('Regal CD34')).hits[0]).toMatchObject({ matched: ['cd34', 'regal'] });
    // Too short to tell anything.
    expect(await ids('0012')).toEqual([]);
    expect(await ids('D34')).toEqual([]);
    const scope = scopeOf(await classOf('long'));
    await write('hidden', 'CD34 und XCD345', 'acl:\n  read: [staff]\n');
    expect(await ids('CD34', { scope })).toEqual(['long']);
    expect(await ids('XCD34', { scope })).toEqual([]);
    await write('exact', 'CD34 ist neu.');
    expect(await ids('CD34', { scope })).toEqual(['exact']);
  });

  test('[SW4] names that no word list has are parts of compounds where the caller sees them as words', async () => {
    await write('whole', 'Die Zyntrexpumpe steht in Halle drei.');
    await write('name', 'Zyntrex liefert morgen.');
    await write('part', 'Eine Pumpe tropft.');
    expect(await ids('Zyntrex')).toEqual(['name', 'whole']);
    expect((await ids('Zyntrexpumpen')).toSorted()).toEqual(['whole']);
    await write('whole', 'Nichts mehr.');
    expect((await ids('Zyntrexpumpe')).toSorted()).toEqual(['name', 'part']);
    const scope = scopeOf(await classOf('name'));
    expect(await ids('Qwurzlpumpe', { scope })).toEqual([]);
    await write('hidden', 'Qwurzl', 'acl:\n  read: [staff]\n');
    expect(await ids('Qwurzlpumpe', { scope })).toEqual([]);
  });

  test('[SW8] a typo is taken for the likeliest spelling, and the answer says so', async () => {
    await write('a', 'Das Planetengetriebe der Anlage läuft.');
    await write('b', 'The compressor is running hot.');
    for (const typo of ['Planetengetreibe', 'planetngetriebe', 'Planetengetrieeb']) {
      expect(await ask(typo)).toMatchObject({
        hits: [{ pageId: pageId('a') }],
        corrections: [{ word: typo.toLowerCase(), instead: 'planetengetriebe' }],
      });
    }
    expect(await ids('comperssor')).toEqual(['b']);
    expect(await ids('compresor runs')).toEqual(['b']);
    await write('c', 'The partners agree that it is bizarre.');
    for (const typo of ['agre', 'bizzare']) expect(await ids(typo)).toEqual(['c']);
    expect((await ask('compressor')).corrections).toEqual([]);
    for (const other of ['xylophon', 'quitte', 'ab'])
      expect(await ask(other)).toMatchObject({ hits: [], corrections: [] });
  });

  test('[SW8] a known German word is not taken for another', async () => {
    await write('a', 'die Hand am Griff');
    expect(await ids('Hund')).toEqual([]);
  });

  test('[SW9] nothing that is shown tells whether hidden pages have a word', async () => {
    await write('open', 'Das Getriebe der Presse. Ein Kompressor.');
    await write('noise', 'Andere Dinge stehen hier.');
    await write('hidden', 'nothing yet', 'acl:\n  read: [staff]\n');
    const scope = scopeOf(await classOf('open'));
    const questions = [
      'Getreibe',
      'Geheimwort',
      'Geheimwrot',
      'Kompresor Geheimwort',
      'Getriebe der Presse Geheimwort',
    ];
    const shown = async (): Promise<unknown[]> =>
      Promise.all(
        questions.map(async text => {
          const { hits, corrections, language } = await ask(text, { scope });
          const evidence = hits.map(({ pageId: page, matched, coverage }) => ({
            page,
            matched,
            coverage: coverage.toFixed(3),
          }));
          return { evidence, corrections, language };
        }),
      );
    const before = await shown();
    expect(before[0]).toMatchObject({ corrections: [{ instead: 'getriebe' }] });
    await write('hidden', 'Geheimwort, Getreibe, Kompresor und Getrieben', 'acl:\n  read: [staff]\n');
    expect(await ids('Geheimwort')).toEqual(['hidden']);
    const after = await shown();
    const documents = 0.05;
    for (const [at, { evidence, ...rest }] of (after as { evidence: { coverage: string }[] }[]).entries()) {
      const was = before[at] as { evidence: { coverage: string }[] };
      expect(rest).toEqual({ ...was, evidence: undefined, ...rest });
      expect(evidence.map(one => ({ ...one, coverage: 0 }))).toEqual(
        was.evidence.map(one => ({ ...one, coverage: 0 })),
      );
      for (const [n, { coverage }] of evidence.entries()) {
        expect(Math.abs(Number(coverage) - Number(was.evidence[n]!.coverage))).toBeLessThan(documents);
      }
    }
  });

  test('[SW10] a hit names the words it answers, and their share of the weight', async () => {
    await write('both', 'Der Filter der Pumpe');
    await write('one', 'Die Pumpe');
    const { hits, language } = await ask('Wann wird der Filter der Pumpe getauscht?');
    expect(language).toBe('de');
    expect(hits.map(({ matched }) => matched)).toEqual([['filter', 'pumpe'], ['pumpe']]);
    expect(hits[0]!.coverage).toBeGreaterThan(hits[1]!.coverage);
    expect(hits[0]!.coverage).toBeLessThan(1);
    expect((await ask('Filter Pumpe')).hits[0]!.coverage).toBeCloseTo(1, 10);
    const [part] = (await ask('Pumpenfilter')).hits;
    expect(part).toMatchObject({ pageId: pageId('both'), matched: ['pumpenfilter'] });
    expect(part!.coverage).toBeLessThan(1);
  });

  test('[SW5] a question of grammar words is answered', async () => {
    await write('a', 'Was ist das und wer ist es?');
    expect(await ids('Wer ist das?')).toEqual(['a']);
  });
});

describe('postings', () => {
  let db: Database.Database;
  let writer: DocWriter;
  beforeEach(() => {
    db = new Database(':memory:');
    db.exec(INDEX_TABLES);
    db.exec(`INSERT INTO access_class VALUES (1, 'instance', 'note', 'null', 0)`);
    writer = docWriter(db, ENOUGH);
  });
  afterEach(() => db.close());

  /** Adds pages of one block each; what the lane does not look at is empty. */
  function insertPage(): (n: number) => void {
    const columns = db
      .prepare<[], { name: string; type: string }>(`SELECT name, type FROM pragma_table_info('page')`)
      .all();
    const names = columns.map(({ name }) => name).filter(name => name !== 'scenario');
    const page = db.prepare(`INSERT INTO page (${names.join()}) VALUES (${names.map(name => `:${name}`).join()})`);
    const empty = Object.fromEntries(columns.map(({ name, type }) => [name, type === 'TEXT' ? '' : 1]));
    const block = db.prepare<[number]>(
      `INSERT INTO block (block_id, ord, anchor, headings, content) VALUES (?, 0, 'x', '[]', '')`,
    );
    return n => {
      page.run({ ...empty, page_no: n, page_id: `p${n}`, page_type: 'instance', skill: 'note', frontmatter: '{}' });
      block.run(n * SLOTS);
    };
  }
  const index = (n: number, body: string): void =>
    writer.put(
      n * SLOTS,
      { title: '', name: '', description: '', headings: '', body, language: null },
      { accessClass: 1, overlay: false },
    );
  const pagesOf = (reader: ReturnType<typeof lexicalReader>, text: string, limit = 5): string[] =>
    reader.ask({ text }, EVERYTHING, limit).hits.map(hit => hit.pageId);

  test('[DS36] documents are found the same before, while and after they move into postings', () => {
    const addPage = insertPage();
    const reader = lexicalReader(db);
    const late = lexicalReader(db);
    const count = ENOUGH + 50;
    for (let n = 1; n <= count; n++) {
      addPage(n);
      index(n, `every word${n % 977} and code X-${n}`);
    }
    const look = (one: typeof reader): unknown => ({
      rare: pagesOf(one, `X-${count - 100}`),
      some: pagesOf(one, 'word55', 30),
      all: one.ask({ text: 'every' }, EVERYTHING, 3).hits.map(hit => [hit.pageId, hit.score.toFixed(4)]),
    });
    const before = look(reader);
    expect(before).toMatchObject({ rare: [`p${count - 100}`], all: [[`p${count}`, expect.any(String)], {}, {}] });
    let steps = 0;
    const seen: unknown[] = [];
    for (; writer.step(); steps++) seen.push(steps % 2 === 0 ? look(reader) : before);
    expect(steps).toBeGreaterThan(3);
    expect(seen).toEqual(seen.map(() => before));
    expect(look(reader)).toEqual(before);
    expect(look(late)).toEqual(before);
    index(count - 100, 'another text');
    index(1, `every word55 late`);
    for (const one of [reader, late, lexicalReader(db)]) {
      expect(pagesOf(one, `X-${count - 100}`)).toEqual([]);
      expect(pagesOf(one, 'word55 late', 1)).toEqual(['p1']);
    }
  });

  test('[DS36] a writer that starts anew goes on where a half done move was left', () => {
    const addPage = insertPage();
    for (let n = 1; n <= ENOUGH; n++) {
      addPage(n);
      index(n, `shared code X-${n}`);
    }
    for (let n = 0; n < 4; n++) expect(writer.step()).toBe(true);
    writer = docWriter(db, ENOUGH);
    while (writer.step());
    const reader = lexicalReader(db);
    expect(db.prepare('SELECT docs FROM term WHERE term = ?').pluck().get('shared')).toBe(ENOUGH);
    for (const n of [1, 77, ENOUGH]) expect(pagesOf(reader, `X-${n}`)).toEqual([`p${n}`]);
  });

  test('[DS36] documents that are gone are swept out of the postings', () => {
    const addPage = insertPage();
    for (let n = 1; n <= ENOUGH; n++) addPage(n);
    const reader = lexicalReader(db);
    const listed = db.prepare<[string], number>('SELECT docs FROM term WHERE term = ?').pluck();
    const counts: (number | undefined)[] = [];
    for (let turn = 0; turn < 3; turn++) {
      for (let n = 1; n <= ENOUGH; n++) index(n, `shared X-${turn}-${n % 300}`);
      while (writer.step());
      counts.push(listed.get('shared'));
      expect(pagesOf(reader, `X-${turn}-7`, 1)).toEqual([`p${Math.floor((ENOUGH - 7) / 300) * 300 + 7}`]);
    }
    expect(counts).toEqual([ENOUGH, ENOUGH, ENOUGH]);
    expect(listed.get('0 7')).toBe(0);
    for (const one of [reader, lexicalReader(db)]) {
      expect(pagesOf(one, 'X-1-7')).toEqual([]);
      expect(one.ask({ text: 'X-2-7' }, EVERYTHING, 500).hits).toHaveLength(Math.ceil((ENOUGH - 6) / 300));
    }
    index(7, 'shared late');
    expect(pagesOf(reader, 'shared late', 1)).toEqual(['p7']);
    expect(reader.ask({ text: 'X-2-7' }, EVERYTHING, 500).hits).toHaveLength(Math.ceil((ENOUGH - 6) / 300) - 1);
  });

  test('[SR1] any Unicode text is asked without an error', () => {
    const addPage = insertPage();
    addPage(1);
    index(1, 'words AND more, Wörter und Zahlen 1.0.21, 日本語 текст');
    const reader = lexicalReader(db);
    const word = fc.constantFrom(
      'words',
      'Wörtre',
      '1.0.21',
      '"',
      '*',
      'AND',
      'NEAR(',
      '\0',
      '\uD800',
      '日本',
      '::',
      'X-',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(word).map(parts => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, asked => {
        const { hits, corrections } = reader.ask({ text: asked }, EVERYTHING, 3);
        expect(hits.length).toBeLessThanOrEqual(1);
        expect(corrections.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: Number(process.env['CAIRN_FUZZ_RUNS'] ?? 1500), seed: 6 },
    );
  });

  test('[SW7] an endless question is answered by what tells most', () => {
    const addPage = insertPage();
    for (let n = 1; n <= 300; n++) {
      addPage(n);
      index(n, n === 42 ? 'common filler needle' : `common filler other${n % 7}`);
    }
    const reader = lexicalReader(db);
    const mail = Array.from({ length: 4000 }, (_, n) => (n === 200 ? 'needle' : n % 2 ? 'common' : `unheard${n}`)).join(
      ' ',
    );
    expect(pagesOf(reader, mail, 1)).toEqual(['p42']);
  });
});
