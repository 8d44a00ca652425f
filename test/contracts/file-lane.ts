import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileLane, FileWritten } from '../../src/pages/lanes/ports.ts';

/** One adapter on storage of its own. */
export interface OpenFileLane {
  readonly lane: FileLane;
  /** A folder of the lane, and one that is none. */
  readonly folder: string;
  readonly foreign: string;
  close(): Promise<void>;
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('utf8');
const factsOf = (written: FileWritten | undefined) => {
  if (!written || !('facts' in written)) throw new Error(`not written: ${JSON.stringify(written)}`);
  return written.facts;
};

/** What every FileLane adapter must do. `open` starts without any file. */
export function fileLaneContract(adapter: string, open: () => Promise<OpenFileLane>): void {
  describe(`files on ${adapter}`, () => {
    let opened: OpenFileLane;
    let lane: FileLane;
    let at: (name: string) => string;
    beforeEach(async () => {
      opened = await open();
      lane = opened.lane;
      at = name => `${opened.folder}/${name}`;
    });
    afterEach(() => opened.close());

    async function listed(folder = opened.folder): Promise<string[]> {
      const paths: string[] = [];
      for await (const entry of lane.list(folder)) paths.push(entry.path);
      return paths.sort();
    }

    test('[DS40] a file is read back, has facts, and is gone after its removal', async () => {
      expect(await lane.read(at('a'))).toBeUndefined();
      expect(await lane.stat(at('a'))).toBeUndefined();
      const [written] = await lane.write([{ path: at('a'), data: 'Ä\r\n' }]);
      expect(text(await lane.read(at('a')))).toBe('Ä\r\n');
      expect(await lane.stat(at('a'))).toEqual(factsOf(written));
      expect(factsOf(written).size).toBe(4);
      expect(await lane.remove(at('a'))).toBe(true);
      expect(await lane.remove(at('a'))).toBe(false);
      expect(await lane.read(at('a'))).toBeUndefined();
    });

    test('[DS40] any bytes stay, also many of them', async () => {
      const bytes = Uint8Array.from({ length: 3_000_000 }, (_, n) => (n * 31) % 256);
      const [large, empty, long] = await lane.write([
        { path: at('large'), data: bytes },
        { path: at('empty'), data: '' },
        { path: at('long'), data: 'ü'.repeat(200_000) },
      ]);
      expect(Buffer.compare(Buffer.from((await lane.read(at('large')))!), Buffer.from(bytes))).toBe(0);
      expect((await lane.read(at('empty')))?.length).toBe(0);
      expect(text(await lane.read(at('long')))).toBe('ü'.repeat(200_000));
      expect([large, empty, long].map(one => factsOf(one).size)).toEqual([3_000_000, 0, 400_000]);
    });

    test('[DS40] a batch is answered in its order; of two writes of one path the later stays', async () => {
      const paths = ['x/1', 'x/2', 'y/z/3', '4', 'x/1'].map(at);
      const written = await lane.write(paths.map((path, n) => ({ path, data: `text ${n}` })));
      expect(written.map(one => one.path)).toEqual(paths);
      expect(text(await lane.read(at('x/1')))).toBe('text 4');
      expect(text(await lane.read(at('y/z/3')))).toBe('text 2');
      expect(await listed()).toEqual(['4', 'x/1', 'x/2', 'y/z/3'].map(at).sort());
      expect(await lane.write([])).toEqual([]);
    });

    test('[DS40] a reader beside a writer sees whole files only', async () => {
      const texts = ['a', 'b'].map(letter => letter.repeat(300_000));
      await lane.write([{ path: at('f'), data: texts[0]! }]);
      const state = { writing: true };
      const writer = (async () => {
        for (let n = 0; n < 20; n++) await lane.write([{ path: at('f'), data: texts[n % 2]! }]);
        state.writing = false;
      })();
      const seen = new Set<string | undefined>();
      while (state.writing) seen.add(text(await lane.read(at('f'))));
      await writer;
      expect(seen.size).toBeGreaterThan(0);
      expect([...seen].filter(one => !texts.includes(one ?? ''))).toEqual([]);
    });

    test('[DS40] names may hold any letters', async () => {
      const names = [
        'ä ö',
        'a\u0308',
        '日本',
        '😀',
        '%2e%2e',
        'a..b',
        '...',
        'c:d',
        '"q"',
        'a*?',
        '-rf',
        'CON',
        ' lead',
        'x.md',
      ];
      await lane.write(names.map(name => ({ path: at(`n/${name}`), data: name })));
      for (const name of names) expect(text(await lane.read(at(`n/${name}`)))).toBe(name);
    });

    const tricks = ['../x', './x', 'x/../../y', 'x/./y', 'x//y', 'x/', '', '.', '..', 'a\\b', 'a\0b', '/etc/passwd'];
    test.each(tricks)('[DS41] %j is no path', async trick => {
      for (const path of [at(trick), trick]) {
        const [written] = await lane.write([{ path, data: 'x' }]);
        expect(written).toMatchObject({ path, problem: { kind: 'unsuitable' } });
        expect(await lane.read(path)).toBeUndefined();
        expect(await lane.stat(path)).toBeUndefined();
        expect(await lane.remove(path)).toBe(false);
      }
      expect(await listed()).toEqual([]);
    });

    test('[DS41] a folder that is not of the lane is closed', async () => {
      for (const path of [`${opened.foreign}/x`, opened.foreign, 'x', 'state.sqlite', opened.folder]) {
        expect(await lane.write([{ path, data: 'x' }])).toMatchObject([{ problem: { kind: 'unsuitable' } }]);
        expect(await lane.read(path)).toBeUndefined();
      }
      expect(await listed(opened.foreign)).toEqual([]);
      expect(await listed('..')).toEqual([]);
    });

    test('[DS41] no text as a path makes the lane reject or leave its folder', async () => {
      const segment = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom('..', '.', '', opened.folder, opened.foreign),
      );
      const escaped: string[] = [];
      const tried = fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 5 }), async segments => {
        const path = segments.join('/');
        await lane.read(path);
        await lane.stat(path);
        const [written] = await lane.write([{ path, data: 'x' }]);
        const inside = path.startsWith(`${opened.folder}/`) && !segments.some(one => one === '..' || one === '.');
        if (written && 'facts' in written && !inside) escaped.push(path);
      });
      await fc.assert(tried, { numRuns: 200 });
      expect(escaped).toEqual([]);
    });

    test('[DS42] a write expects what it writes over', async () => {
      const one = async (data: string, over: Parameters<FileLane['write']>[0][number]['over']) =>
        (await lane.write([{ path: at('f'), data, over: over ?? null }]))[0]!;
      const first = factsOf(await one('first', null));
      expect(await one('second', null)).toEqual({ path: at('f'), changed: true });
      expect(text(await lane.read(at('f')))).toBe('first');
      const second = factsOf(await one('second', first));
      expect(await one('third!', first)).toEqual({ path: at('f'), changed: true });
      expect(text(await lane.read(at('f')))).toBe('second');
      await lane.remove(at('f'));
      expect(await one('third!', second)).toEqual({ path: at('f'), changed: true });
      expect(await lane.read(at('f'))).toBeUndefined();
      // Without an expectation anything is written over.
      await lane.write([{ path: at('f'), data: 'fourth' }]);
      await lane.write([{ path: at('f'), data: 'fifth' }]);
      expect(text(await lane.read(at('f')))).toBe('fifth');
    });

    test('[DS66] a folder stays the same folder, and one that is not there is none', async () => {
      await lane.write([{ path: at('a'), data: 'x' }]);
      const first = await lane.identity(opened.folder);
      expect(first).toEqual(expect.any(String));
      await lane.write([{ path: at('x/b'), data: 'x' }]);
      await lane.remove(at('a'));
      expect(await lane.identity(opened.folder)).toBe(first);
      expect(await lane.identity(opened.foreign)).toBeNull();
    });

    test('[DS43] names that begin with a dot are kept but not listed', async () => {
      const paths = ['.hidden', '.git/config', 'x/.swp', 'x/seen', 'a.b'].map(at);
      await lane.write(paths.map(path => ({ path, data: path })));
      expect(await listed()).toEqual([at('a.b'), at('x/seen')]);
      expect(text(await lane.read(at('.git/config')))).toBe(at('.git/config'));
      for await (const entry of lane.list(opened.folder)) {
        const { path, ...facts } = entry;
        expect(await lane.stat(path)).toEqual(facts);
      }
    });

    test('[DS44] a file that cannot be written does not hold up the others', async () => {
      await lane.write([{ path: at('file'), data: 'x' }]);
      const long = at('n'.repeat(300));
      const written = await lane.write([
        { path: at('good1'), data: '1' },
        { path: long, data: 'x' },
        { path: at('file/below'), data: 'x' },
        { path: at('../out'), data: 'x' },
        { path: at('good2'), data: '2' },
      ]);
      expect(
        written.map(one => ('facts' in one ? 'written' : 'problem' in one ? one.problem.kind : 'changed')),
      ).toEqual(['written', 'unsuitable', 'unsuitable', 'unsuitable', 'written']);
      expect(await lane.read(long)).toBeUndefined();
      expect(await lane.stat(at('file/below'))).toBeUndefined();
      expect(await listed()).toEqual(['file', 'good1', 'good2'].map(at));
    });
  });
}
