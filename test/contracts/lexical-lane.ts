import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { subjectKey } from '../../src/auth/index.ts';
import type { Json } from '../../src/kernel/json.ts';
import type { PageIndex, PageStore } from '../../src/pages/ports.ts';
import { termsOf } from '../../src/search/index.ts';
import type { LaneFilter, LexicalLane } from '../../src/search/ports.ts';
import type { FilterClause } from '../../src/search/schema.ts';

/** One adapter on storage of its own. */
export interface OpenLexicalLane {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly lexical: LexicalLane;
  close(): Promise<void>;
}

const AT = '2026-01-02T03:04:05.678Z';
const note = (id: string): string => `markdown/instances/note/${id}.md`;
const EVERYTHING: LaneFilter = {
  scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
  pageType: null,
  skill: null,
  pageId: null,
  asOf: null,
  scenario: null,
  clauses: [],
};

/** What every LexicalLane adapter must do. `open` starts without any page. */
export function lexicalLaneContract(adapter: string, open: () => Promise<OpenLexicalLane>): void {
  describe(`words on ${adapter}`, () => {
    let opened: OpenLexicalLane;
    const bases = new Map<string, number>();

    beforeEach(async () => {
      opened = await open();
      bases.clear();
    });
    afterEach(() => opened.close());

    async function write(pageId: string, header: string, body: string): Promise<void> {
      const base = bases.get(pageId) ?? 0;
      const content = `---\n${header}\n---\n\n${body}\n`;
      const put = { pageId, base, content, author: null, origin: 'external' as const, message: null, committedAt: AT };
      expect(await opened.store.commit({ puts: [put] })).toMatchObject({ committed: true });
      bases.set(pageId, base + 1);
    }
    const instance = (id: string, body: string, more = ''): Promise<void> =>
      write(note(id), `type: instance\nskill: note\nid: ${id}\n${more}`, body);

    async function ids(text: string, filter: Partial<LaneFilter> = {}, limit = 50): Promise<string[]> {
      const hits = await opened.lexical.search(termsOf(text), { ...EVERYTHING, ...filter }, limit);
      return hits.map(hit => hit.pageId.slice(hit.pageId.lastIndexOf('/') + 1).replace('.md', ''));
    }

    test('[DS30] a block is found by its text, headings and page title, with anchor and content', async () => {
      await instance('a', 'intro\n\n# Betrieb\n\n## Wartung\n\nden Filter tauschen ^filter', 'title: Pumpe\n');
      const hit = { pageId: note('a'), anchor: 'filter', content: 'den Filter tauschen', score: expect.any(Number) };
      for (const text of ['filter', 'tauschen wartung', 'pumpe filter betrieb', 'FILTER']) {
        expect((await opened.lexical.search(termsOf(text), EVERYTHING, 1))[0]).toEqual(hit);
      }
      expect(await ids('intro filter', {}, 1)).toEqual(['a']);
      expect(await ids('nirgends')).toEqual([]);
    });

    test('[DS30] the first block is also found by description, skill and id', async () => {
      await instance('acme-corp', 'one\n\ntwo', 'title: Works\ndescription: a maker of valves\n');
      for (const text of ['valves', 'note::acme-corp', 'acme-corp', 'note acme corp']) {
        expect(await opened.lexical.search(termsOf(text), EVERYTHING, 5)).toMatchObject([{ content: 'one' }]);
      }
    });

    test('[DS30] a page without text is found by its title', async () => {
      await instance('a', '', 'title: Leerlauf\n');
      expect(await opened.lexical.search(termsOf('leerlauf'), EVERYTHING, 5)).toMatchObject([{ pageId: note('a') }]);
      await instance('a', 'now with text', 'title: Leerlauf\n');
      expect(await opened.lexical.search(termsOf('leerlauf'), EVERYTHING, 5)).toMatchObject([
        { content: 'now with text' },
      ]);
    });

    test('[DS30] case and diacritics do not matter, in the title and in the text', async () => {
      await instance('a', 'Ein Äpfel-Lager, café, ÉTÉ', 'title: Öldruck\n');
      for (const text of ['äpfel', 'APFEL', 'cafe', 'été', 'oldruck', 'ÖLDRUCK', 'a\u0308pfel'])
        expect(await ids(text)).toEqual(['a']);
    });

    test('[DS31] the words of one term stand next to each other', async () => {
      await instance('a', 'release 1.0.21 of customer::acme, part BENCH-100821 at 5 GB/s');
      await instance('b', '21 0 1 and acme the customer, 100821 the bench');
      for (const text of ['1.0.21', 'customer::acme', 'BENCH-100821', '"GB/s"']) expect((await ids(text))[0]).toBe('a');
      expect(await ids('1.0.21')).toEqual(['a']);
      expect(await ids('21.0.1')).toEqual(['b']);
    });

    test('[DS31] no text makes a search fail', async () => {
      await instance('a', 'words AND more OR less NOT these NEAR that');
      const texts = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc
          .array(
            fc.constantFrom(
              '"',
              "'",
              '*',
              '^',
              '-',
              '+',
              '(',
              ')',
              ':',
              '{',
              '}',
              'AND',
              'OR',
              'NOT',
              'NEAR(',
              '\0',
              ' ',
              'words',
              'title:',
              '\uD800',
            ),
            { maxLength: 12 },
          )
          .map(parts => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(texts, async text => {
          // Both as the analyser cuts it and raw.
          await opened.lexical.search(termsOf(text), EVERYTHING, 3);
          await opened.lexical.search([{ words: [text] }, { words: ['words', text] }], EVERYTHING, 3);
        }),
        { numRuns: 300 },
      );
      expect(await ids('AND OR NOT NEAR')).toEqual(['a']);
      expect(await opened.lexical.search([], EVERYTHING, 3)).toEqual([]);
      expect(await opened.lexical.search([{ words: ['words'] }], EVERYTHING, 0)).toEqual([]);
    });

    test('[DS31] long and many terms are fine', async () => {
      await instance('a', 'needle');
      const many = Array.from({ length: 200 }, (_, n) => ({ words: [`w${n}`] }));
      expect(await opened.lexical.search([...many, { words: ['needle'] }], EVERYTHING, 3)).toHaveLength(1);
      expect(await opened.lexical.search([{ words: Array.from({ length: 5000 }, () => 'x') }], EVERYTHING, 3)).toEqual(
        [],
      );
    });

    test('[DS32] blocks with every term come first, and larger scores are better', async () => {
      await instance('both', `a long text that names a valve and much later also a gasket ${'filler '.repeat(60)}`);
      await instance('one', 'valve valve valve');
      await instance('other', 'gasket');
      const hits = await opened.lexical.search(termsOf('valve gasket'), EVERYTHING, 10);
      expect(hits[0]?.pageId).toBe(note('both'));
      expect(hits.map(hit => hit.pageId).toSorted()).toEqual([note('both'), note('one'), note('other')]);
      const scores = hits.map(hit => hit.score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores[0]).toBeGreaterThan(scores[1]!);
      expect(await ids('valve gasket', {}, 2)).toHaveLength(2);
      expect(await ids('valve unheardof')).toEqual(expect.arrayContaining(['both', 'one']));
    });

    test('[DS32] a word in the title counts for more than one in the text', async () => {
      await instance('text', 'about the valve');
      await instance('title', 'about the thing', 'title: Valve\n');
      expect(await ids('valve')).toEqual(['title', 'text']);
    });

    test('[DS33] only pages of allowed classes are found, and owned ones where the header names the caller', async () => {
      await instance('open', 'valve');
      await instance('closed', 'valve', 'acl:\n  read: [staff]\n');
      await instance('mine', 'valve', 'acl:\n  read: [owner]\nwho: ann\n');
      await instance('hers', 'valve', 'acl:\n  read: [owner]\nwho: bea\n');
      await instance('ownerless', 'valve', 'acl:\n  read: [owner]\n');
      await instance('list', 'valve', 'acl:\n  read: [owner]\nwho: [ann]\n');
      const classOf = async (id: string): Promise<number> => (await opened.index.page(note(id)))!.accessClass;
      const [everyones, closed, owned] = [await classOf('open'), await classOf('closed'), await classOf('mine')];
      const scope = { all: false, allowed: [everyones], owned: [], ownerKeys: [subjectKey('ann')] };
      expect(await ids('valve', { scope })).toEqual(['open']);
      expect(await ids('valve', { scope: { ...scope, allowed: [] } })).toEqual([]);
      expect(await ids('valve', { scope: { ...scope, allowed: [everyones, closed] } })).toEqual(
        expect.arrayContaining(['open', 'closed']),
      );
      const owner = { ...scope, owned: [{ accessClass: owned, ownerField: 'who' }] };
      expect((await ids('valve', { scope: owner })).toSorted()).toEqual(['mine', 'open']);
      expect((await ids('valve', { scope: { ...owner, ownerKeys: [] } })).toSorted()).toEqual(['open']);
      const otherField = { ...scope, owned: [{ accessClass: owned, ownerField: 'author' }] };
      expect(await ids('valve', { scope: otherField })).toEqual(['open']);
      // The limit counts rows that the caller may see.
      expect(await ids('valve', { scope: owner }, 2)).toHaveLength(2);
    });

    test('[DS34] page type, skill, page, time and scenario narrow', async () => {
      await instance('a', 'valve', 'at: 2026-01-01T00:00:00Z\n');
      await instance('b', 'valve', 'at: 2026-03-01T00:00:00Z\n');
      await instance('c', 'valve', 'scenario: s\n');
      await instance('e', 'valve', 'scenario: t\n');
      await write('markdown/skills/note.md', 'type: skill\nid: d', 'valve');
      await write(note('f'), 'type: instance\nskill: other\nid: f', 'valve');
      const some = async (filter: Partial<LaneFilter>): Promise<string> =>
        (await ids('valve', filter)).toSorted().join(' ');
      expect(await some({})).toBe('a b f note');
      expect(await some({ pageType: 'skill' })).toBe('note');
      expect(await some({ pageType: 'instance' })).toBe('a b f');
      expect(await some({ skill: 'note' })).toBe('a b');
      expect(await some({ pageId: note('b') })).toBe('b');
      expect(await some({ pageId: note('nobody') })).toBe('');
      expect(await some({ asOf: '2026-02-01T00:00:00.000Z' })).toBe('a f note');
      expect(await some({ scenario: 's' })).toBe('a b c f note');
    });

    test('[DS34] a search within a page sees all its blocks', async () => {
      await instance('a', Array.from({ length: 30 }, (_, n) => `valve ${n}`).join('\n\n'));
      await instance('b', 'valve');
      expect(await ids('valve', { pageId: note('a') }, 100)).toHaveLength(30);
    });

    const clause = (operator: FilterClause['operator'], value: Json, key = 'v'): FilterClause => ({
      key,
      operator,
      value,
    });
    // Pages by value: n 5, t "5", y true, z null, l [1, "a"], m {x: 1, y: 2}, d 2026-04-01, r 5.5, - nothing.
    const cases: [string, FilterClause[], string][] = [
      ['equal number', [clause('equals', 5)], 'n'],
      ['equal text', [clause('equals', '5')], 't'],
      ['equal flag', [clause('equals', true)], 'y'],
      ['flag is no number', [clause('equals', 1)], ''],
      ['null or missing', [clause('equals', null)], '- z'],
      ['whole list', [clause('equals', [1, 'a'])], 'l'],
      ['part of a list', [clause('equals', [1])], ''],
      ['whole mapping in any order', [clause('equals', { y: 2, x: 1 })], 'm'],
      ['text of a list is not the list', [clause('equals', '[1,"a"]')], ''],
      ['number at least', [clause('>=', 5)], 'n r'],
      ['number above', [clause('>', 5)], 'r'],
      ['text at least', [clause('>=', '2026')], 'd t'],
      ['text below', [clause('<', '3')], 'd'],
      ['several operators', [clause('>', 5), clause('<=', 5.5)], 'r'],
      ['membership', [clause('in', [5, 'x', true, [1, 'a']])], 'l n y'],
      ['membership of null', [clause('in', [null])], 'z'],
      ['no members', [clause('in', [])], ''],
      ['inequality', [clause('not', 5)], 'd l m r t y z'],
      ['not null', [clause('not', null)], 'd l m n r t y'],
      ['not a list', [clause('not', [1, 'a'])], 'd m n r t y z'],
      ['two keys', [clause('equals', 5), clause('equals', 'n', 'id')], 'n'],
      ['two keys, one failing', [clause('equals', 5), clause('equals', 't', 'id')], ''],
      ['strange key', [clause('equals', 'q', 'a.b "c" \\ [0] $')], 'n'],
      ['unknown key', [clause('equals', 'q', 'a')], ''],
    ];
    test.each(cases)('[DS35] %s', async (_, clauses, expected) => {
      const values = [
        'n 5',
        't "5"',
        'y true',
        'z null',
        'l [1, a]',
        'm {x: 1, y: 2}',
        'd "2026-04-01"',
        'r 5.5',
        '- ',
      ];
      for (const value of values) {
        const strange = value === 'n 5' ? '\'a.b "c" \\ [0] $\': q\n' : '';
        await instance(value[0]!, 'valve', `${value === '- ' ? '' : `v: ${value.slice(2)}\n`}${strange}`);
      }
      expect((await ids('valve', { clauses })).toSorted().join(' ')).toBe(expected);
    });

    test('[DS36] after an edit only the new words are found, and other blocks stay', async () => {
      await instance('a', 'alpha ^one\n\nbeta ^two\n\ngamma ^three', 'title: Eins\n');
      await instance('a', 'beta ^two\n\ndelta ^one', 'title: Eins\n');
      expect(await ids('alpha')).toEqual([]);
      expect(await ids('gamma')).toEqual([]);
      expect(await ids('beta')).toEqual(['a']);
      expect(await ids('delta')).toEqual(['a']);
      await instance('a', 'beta ^two', 'title: Zwei\n');
      expect(await ids('eins')).toEqual([]);
      expect(await ids('zwei beta')).toEqual(['a']);
      await instance('a', 'beta ^two', 'archived: true\n');
      expect(await ids('beta')).toEqual([]);
    });

    test('[DS37] words that are nearly everywhere do not hide a rare one', async () => {
      const common = Array.from({ length: 2500 }, (_, n) => `what is the price of the thing number ${n}`);
      await instance('many', common.join('\n\n'));
      await instance('rare', 'a Planetengetriebe costs nine');
      expect((await ids('what is the price of the planetengetriebe', {}, 5))[0]).toBe('rare');
      const [hit] = await opened.lexical.search(termsOf('what is the price of 1718'), EVERYTHING, 1);
      expect(hit?.content).toContain('number 1718');
      expect(await ids('the price', {}, 5)).toHaveLength(5);
    });

    test('[DS37] of a word that is everywhere, titles come first and then the newest pages', async () => {
      await instance('titled', 'nothing else', 'title: Überall\n');
      await instance('long', Array.from({ length: 20_500 }, (_, n) => `überall ${n}`).join('\n\n'));
      await instance('late', 'einmal überall');
      expect(await ids('überall', {}, 3)).toEqual(['titled', 'late', 'long']);
      expect(await ids('überall', { pageId: note('long') }, 3)).toEqual(['long', 'long', 'long']);
      expect(await ids('überall', { skill: 'other' }, 3)).toEqual([]);
      expect(await ids('einmal überall', {}, 1)).toEqual(['late']);
    });
  });
}
