import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IndexedPage, InstanceQuery, PageIndex, PagePut, PageStore } from '../../src/pages/ports.ts';

/** One adapter on storage of its own. */
export interface OpenPageIndex {
  readonly store: PageStore;
  readonly index: PageIndex;
  close(): Promise<void>;
}

const AT = '2026-01-02T03:04:05.678Z';
const note = (id: string): string => `markdown/instances/note/${id}.md`;

/** What every PageIndex adapter must do. `open` starts without any page. */
export function pageIndexContract(adapter: string, open: () => Promise<OpenPageIndex>): void {
  describe(`derived reads on ${adapter}`, () => {
    let opened: OpenPageIndex;
    let index: PageIndex;
    const bases = new Map<string, number>();

    beforeEach(async () => {
      opened = await open();
      index = opened.index;
      bases.clear();
    });
    afterEach(() => opened.close());

    async function write(pageId: string, header: string, body = '', changes: Partial<PagePut> = {}): Promise<void> {
      const base = bases.get(pageId) ?? 0;
      const content = `---\n${header}\n---\n\n${body}\n`;
      const put = { pageId, base, content, author: 'ann', origin: 'agent' as const, message: null, committedAt: AT };
      const result = await opened.store.commit({ puts: [{ ...put, ...changes }] });
      expect(result.committed).toBe(true);
      bases.set(pageId, base + 1);
    }
    const instance = (pageId: string, id: string, more = '', body = ''): Promise<void> =>
      write(pageId, `type: instance\nskill: note\nid: ${id}\n${more}`, body);
    const skill = (pageId: string, id: string, more = ''): Promise<void> =>
      write(pageId, `type: skill\nid: ${id}\n${more}`);
    const archive = (pageId: string): Promise<void> =>
      write(pageId, 'type: instance\nskill: note\nid: gone\narchived: true', '', { origin: 'external' });
    const idsOf = (pages: readonly IndexedPage[]): string[] => pages.map(page => page.pageId);

    test('[DS20] a row carries what the newest version says', async () => {
      await instance(note('a'), 'a', 'title: First\n');
      await write(
        note('a'),
        'type: instance\nskill: customer\nid: acme\ntitle: Ä name\nat: 2026-05-06T07:08:09+02:00\nscenario: plan b\nn: 5',
        'text',
        { author: 'bob', committedAt: '2026-02-02T02:02:02.222Z' },
      );
      const head = await opened.store.head(note('a'));
      const row = await index.page(note('a'));
      expect({ ...row, frontmatter: row?.frontmatter }).toEqual({
        pageId: note('a'),
        version: 2,
        seq: expect.any(Number),
        sha256: head?.sha256,
        pageType: 'instance',
        slug: 'acme',
        skill: 'customer',
        title: 'Ä name',
        at: expect.stringMatching(/^2026-05-06T05:08:09(\.0+)?Z$/),
        scenario: 'plan b',
        frontmatter: expect.objectContaining({ id: 'acme', n: 5 }),
        accessClass: expect.any(Number),
        lastWrittenBy: 'bob',
        firstAt: AT,
        updatedAt: '2026-02-02T02:02:02.222Z',
      });
      expect(await index.page(note('b'))).toBeUndefined();
    });

    test('[DS20] an archived page leaves no row, link, slug or anchor behind', async () => {
      await instance(note('a'), 'gone', 'credential: ann\n', 'to [[note::b]] ^here');
      await archive(note('a'));
      expect(await index.page(note('a'))).toBeUndefined();
      expect(await index.bySlug('gone', null, null, null)).toEqual([]);
      expect(await index.linksFrom(note('a'))).toEqual([]);
      expect(await index.linksTo('b', ['note'])).toEqual([]);
      expect(await index.blockAnchors(note('a'))).toEqual([]);
      expect(await index.credentialHolders('ann')).toEqual([]);
    });

    test('[DS21] a slug is looked up as a bare link, as an instance of a skill, and as a skill', async () => {
      await skill('markdown/skills/customer.md', 'customer');
      await instance(note('a'), 'customer');
      await write(note('b'), 'type: instance\nskill: other\nid: customer');
      await instance(note('c'), 'else');
      const ids = async (...args: Parameters<PageIndex['bySlug']>): Promise<string[]> =>
        idsOf(await index.bySlug(...args));
      expect(await ids('customer', null, null, null)).toEqual([note('a'), note('b'), 'markdown/skills/customer.md']);
      expect(await ids('customer', 'note', null, null)).toEqual([note('a')]);
      expect(await ids('customer', 'note', 'instance', null)).toEqual([note('a')]);
      expect(await ids('customer', null, 'skill', null)).toEqual(['markdown/skills/customer.md']);
      expect(await ids('nobody', null, null, null)).toEqual([]);
    });

    test("[DS21] the overlay's page comes first, then tenant pages, then packs, each by page id", async () => {
      const base = 'markdown/base/pack/instances/note/x.md';
      await instance(base, 'x');
      await instance(note('x2'), 'x');
      await instance(note('x1'), 'x');
      await instance(note('z'), 'x', 'scenario: s\n');
      await instance(note('y'), 'x', 'scenario: other\n');
      expect(idsOf(await index.bySlug('x', 'note', null, null))).toEqual([note('x1'), note('x2'), base]);
      expect(idsOf(await index.bySlug('x', null, null, 's'))).toEqual([note('z'), note('x1'), note('x2'), base]);
    });

    test('[DS20] [DS21] many pages and many slugs are read at once as one by one, before and after a change', async () => {
      await skill('markdown/skills/customer.md', 'customer');
      await instance(note('a'), 'customer');
      await instance(note('b'), 'else');
      await instance(note('o'), 'else', 'scenario: s\n');
      const ids = [note('a'), note('b'), note('none'), note('a')];
      const slugs = ['customer', 'else', 'nobody', 'else', "it's", '"%'];
      const same = async (): Promise<void> => {
        const pages = await index.pages(ids);
        for (const id of ids) expect(pages.get(id)).toEqual(await index.page(id));
        expect(pages.has(note('none'))).toBe(false);
        for (const scenario of [null, 's']) {
          const named = await index.bySlugs(slugs, scenario);
          for (const slug of slugs) {
            expect(idsOf(named.get(slug)!)).toEqual(idsOf(await index.bySlug(slug, null, null, scenario)));
          }
        }
      };
      await same();
      expect(idsOf((await index.bySlugs(['else'], 's')).get('else')!)).toEqual([note('o'), note('b')]);
      await instance(note('c'), 'nobody');
      await same();
      expect((await index.bySlugs([], null)).size + (await index.pages([])).size).toBe(0);
    });

    const query = (changes: Partial<InstanceQuery>): InstanceQuery => ({
      skill: 'note',
      order: 'page_id',
      limit: 100,
      after: null,
      equals: null,
      clauses: [],
      scope: { all: true, allowed: [], owned: [], ownerKeys: [] },
      asOf: null,
      scenario: null,
      ...changes,
    });

    async function planted(): Promise<void> {
      const times: [string, string | null][] = [
        ['a', '2026-01-01T00:00:00Z'],
        ['b', null],
        ['c', '2026-01-03T00:00:00Z'],
        ['d', '2026-01-01T00:00:00Z'],
        ['e', '2026-01-02T12:00:00+02:00'],
        ['f', null],
      ];
      for (const [id, at] of times) await instance(note(id), id, at ? `at: ${at}\n` : '');
      await skill('markdown/skills/note.md', 'note');
      await write(note('other'), 'type: instance\nskill: other\nid: other');
    }
    const shortIds = async (changes: Partial<InstanceQuery>): Promise<string> =>
      (await index.instances(query(changes))).map(row => row.slug).join('');

    test('[DS22] instances of one skill, never its skill page, come in each order', async () => {
      await planted();
      expect(await shortIds({})).toBe('abcdef');
      expect(await shortIds({ order: 'at_asc' })).toBe('adecbf');
      expect(await shortIds({ order: 'at_desc' })).toBe('ceadbf');
      expect(await shortIds({ skill: 'nobody' })).toBe('');
    });

    test.each(['page_id', 'at_asc', 'at_desc'] as const)(
      '[DS22] pages of every size give every row once, by %s',
      async order => {
        await planted();
        const all = await shortIds({ order });
        for (const limit of [1, 2, 3, 5, 6, 7]) {
          let seen = '';
          let after: InstanceQuery['after'] = null;
          for (let round = 0; round < 10; round++) {
            const rows = await index.instances(query({ order, limit, after }));
            expect(rows.length).toBeLessThanOrEqual(limit);
            seen += rows.map(row => row.slug).join('');
            const last = rows.at(-1);
            if (!last) break;
            after = { at: last.at, pageId: last.pageId };
          }
          expect(seen).toBe(all);
        }
      },
    );

    test('[DS23] a time cut drops what is later and keeps what is undated', async () => {
      await planted();
      const cut = (await index.page(note('e')))!.at!;
      expect(await shortIds({ asOf: cut })).toBe('abdef');
      expect(await shortIds({ asOf: cut, order: 'at_desc' })).toBe('eadbf');
      const early = (await index.page(note('a')))!.at!;
      expect(await shortIds({ asOf: early, order: 'at_asc' })).toBe('adbf');
    });

    test('[DS23] a scenario lays its pages over the base, one page a slug', async () => {
      await instance(note('a'), 'a');
      await instance(note('b'), 'b');
      await instance(note('b2'), 'b', 'scenario: s\n');
      await instance(note('c2'), 'c', 'scenario: s\nat: 2026-06-01T00:00:00Z\n');
      await instance(note('c'), 'c');
      await instance(note('d'), 'd', 'scenario: other\n');
      await write(note('nameless'), 'type: instance\nskill: note');
      await write(note('nameless2'), 'type: instance\nskill: note');
      const list = async (changes: Partial<InstanceQuery>): Promise<string[]> =>
        idsOf(await index.instances(query(changes)));
      const nameless = [note('nameless'), note('nameless2')];
      expect(await list({})).toEqual([note('a'), note('b'), note('c'), ...nameless]);
      expect(await list({ scenario: 's' })).toEqual([note('a'), note('b2'), note('c2'), ...nameless]);
      // An overlay page that is later than the cut leaves the base page in place.
      expect(await list({ scenario: 's', asOf: '2026-05-01T00:00:00.000Z' })).toContain(note('c'));
      await instance('markdown/base/pack/a.md', 'a');
      expect(await list({ scenario: 's' })).not.toContain('markdown/base/pack/a.md');
      expect(await list({})).toContain('markdown/base/pack/a.md');
    });

    test('[DS24] a header key equals a text, a number or flag by its text, also below a dot', async () => {
      await instance(note('a'), 'a', 'v: yes please\n');
      await instance(note('b'), 'b', 'v: 5\n');
      await instance(note('c'), 'c', 'v: "5"\n');
      await instance(note('d'), 'd', 'v: true\n');
      await instance(note('e'), 'e', 'v: null\n');
      await instance(note('f'), 'f', 'w:\n  "deep \\" er":\n    x: 1.5\n');
      const equal = (key: string, value: string): Promise<string> => shortIds({ equals: { key, value } });
      expect(await equal('v', 'yes please')).toBe('a');
      expect(await equal('v', 'Yes please')).toBe('');
      expect(await equal('v', '5')).toBe('bc');
      expect(await equal('v', 'true')).toBe('d');
      expect(await equal('v', 'null')).toBe('');
      expect(await equal('w.deep " er.x', '1.5')).toBe('f');
      for (const key of ['', '.', '$', 'v[0]', '"', 'a"b', "'; --", 'v.']) expect(await equal(key, 'x')).toBe('');
    });

    test('[DS25] edges keep order, anchors and fields; equal ones are one; links without an id are none', async () => {
      const body =
        'one [[note::b#x]] two [[note::b#y]] ^p\n\nagain [[note::b#x]] [[plain|alias]] [[note::]] [[note::b#x@v2]] ^q';
      await instance(note('a'), 'a', 'owner: "[[note::b]]"\n', body);
      const edge = { srcPage: note('a'), linkSkill: 'note', target: 'b', dstAnchor: null, linkVersion: null };
      expect(await index.linksFrom(note('a'))).toEqual([
        { ...edge, srcAnchor: null, srcField: 'frontmatter.owner' },
        { ...edge, srcAnchor: 'p', srcField: null, dstAnchor: 'x' },
        { ...edge, srcAnchor: 'p', srcField: null, dstAnchor: 'y' },
        { ...edge, srcAnchor: 'q', srcField: null, dstAnchor: 'x' },
        { ...edge, srcAnchor: 'q', srcField: null, linkSkill: '', target: 'plain' },
      ]);
      expect(await index.linksFrom(note('nobody'))).toEqual([]);
    });

    test('[DS25] the edges of a new version replace the old ones', async () => {
      await instance(note('a'), 'a', '', '[[note::b]] [[note::c]]');
      await instance(note('a'), 'a', '', '[[note::c]] [[note::d]]');
      expect((await index.linksFrom(note('a'))).map(link => link.target)).toEqual(['c', 'd']);
      expect(await index.linksTo('b', ['note'])).toEqual([]);
      await instance(note('a'), 'a', '', 'none');
      expect(await index.linksFrom(note('a'))).toEqual([]);
    });

    test('[DS26] links to a slug are found by the skills asked for', async () => {
      await instance(note('a'), 'a', '', '[[note::t#x]] [[t]]');
      await instance(note('b'), 'b', '', '[[skill::t]] [[note::other]]');
      const to = async (...skills: string[]): Promise<string[]> =>
        (await index.linksTo('t', skills)).map(link => `${link.srcPage}|${link.linkSkill}`);
      expect(await to('note')).toEqual([`${note('a')}|note`]);
      expect(await to('')).toEqual([`${note('a')}|`]);
      expect(await to('skill', '', 'note')).toEqual([`${note('a')}|note`, `${note('a')}|`, `${note('b')}|skill`]);
      expect(await to()).toEqual([]);
      expect(await index.linksTo('T', ['note'])).toEqual([]);
    });

    test('[DS27] anchors come in document order and outlive an edit elsewhere', async () => {
      await instance(note('a'), 'a', '', 'first ^one\n\nsecond ^two\n\nthird');
      const before = await index.blockAnchors(note('a'));
      expect(before.slice(0, 2)).toEqual(['one', 'two']);
      expect(before).toHaveLength(3);
      await instance(note('a'), 'a', '', 'new ^zero\n\nsecond, changed ^two\n\nfirst ^one\n\nthird');
      expect(await index.blockAnchors(note('a'))).toEqual(['zero', 'two', 'one', before[2]]);
      await instance(note('a'), 'a', '', '');
      expect(await index.blockAnchors(note('a'))).toEqual([]);
    });

    test('[DS28] holders of a credential are live base pages', async () => {
      await instance(note('a'), 'a', 'credential: ann\n');
      await instance(note('b'), 'b', 'credential: ann\nscenario: s\n');
      await instance(note('c'), 'c', 'credential: bob\n');
      await instance(note('d'), 'd', 'credential: [ann]\n');
      expect(idsOf(await index.credentialHolders('ann'))).toEqual([note('a')]);
      await instance(note('a'), 'a');
      expect(await index.credentialHolders('ann')).toEqual([]);
    });

    test('[DS29] pages that are decided alike share a class', async () => {
      await instance(note('a'), 'a');
      await instance(note('b'), 'b', 'n: 1\n');
      await instance(note('c'), 'c', 'acl:\n  read: [staff]\n  update: [lead]\n');
      await instance(note('d'), 'd', 'acl:\n  update: [lead]\n  read: [staff]\n');
      await write(note('e'), 'type: instance\nskill: other\nid: e');
      await write(note('f'), 'type: instance\nskill: note: bad\n  x');
      const classOf = async (id: string): Promise<number> => (await index.page(note(id)))!.accessClass;
      const classes = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(classOf));
      expect(classes[1]).toBe(classes[0]);
      expect(classes[3]).toBe(classes[2]);
      expect(new Set(classes).size).toBe(4);
      const byId = new Map((await index.accessClasses()).map(row => [row.id, row]));
      const plain = { pageType: 'instance', skill: 'note', acl: null, unreadable: false };
      expect(byId.get(classes[0]!)).toEqual({ id: classes[0], ...plain });
      expect(byId.get(classes[2]!)).toMatchObject({ acl: { read: ['staff'], update: ['lead'] } });
      expect(byId.get(classes[4]!)).toMatchObject({ skill: 'other' });
      expect(byId.get(classes[5]!)).toMatchObject({ unreadable: true });
    });

    test('[DS29] the policy revision grows with skill pages and new classes, and with nothing else', async () => {
      const grows = async (change: () => Promise<void>): Promise<boolean> => {
        const before = index.policyRevision();
        await change();
        return index.policyRevision() > before;
      };
      expect(await grows(() => instance(note('a'), 'a'))).toBe(true);
      expect(await grows(() => instance(note('b'), 'b', 'n: 1\n'))).toBe(false);
      expect(await grows(() => instance(note('b'), 'b', 'n: 2\n'))).toBe(false);
      expect(await grows(() => instance(note('b'), 'b', 'acl:\n  read: [x]\n'))).toBe(true);
      expect(await grows(() => skill('markdown/skills/note.md', 'note'))).toBe(true);
      expect(await grows(() => skill('markdown/skills/note.md', 'note', 'description: d\n'))).toBe(true);
      expect(await grows(() => archive('markdown/skills/note.md'))).toBe(true);
      expect(await grows(() => archive(note('a')))).toBe(false);
    });

    test('[DS29] skill pages are listed by page id, overlays included', async () => {
      await skill('markdown/skills/b.md', 'b');
      await skill('markdown/skills/a.md', 'a', 'scenario: s\n');
      await instance(note('x'), 'x');
      expect(idsOf(await index.skillPages())).toEqual(['markdown/skills/a.md', 'markdown/skills/b.md']);
    });
  });
}
