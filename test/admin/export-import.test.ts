import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tarballs } from '../../src/storage/lanes/tarball/index.ts';
import { instancePage, page, skillPage, world, type World } from '../world.ts';
import { tarOf, type RawEntry } from './tar-builder.ts';

const at = (id: string): string => `markdown/instances/note/${id}.md`;
const LONG = `markdown/${'ä'.repeat(60)}/${'long'.repeat(40)}.md`;
const UNREADABLE = '---\nid: [\n---\nNo header, but kraken.\n';

let w: World;
let empty: World;
beforeAll(async () => {
  [w, empty] = await Promise.all([world(), world()]);
  await w.put({
    'markdown/skills/note.md': skillPage('note'),
    [at('a')]: instancePage('note', 'a', {}, 'A kraken\r\n'),
    [at('b')]: instancePage('note', 'b'),
    [LONG]: instancePage('note', 'long', {}, 'Long kraken\n'),
    'elsewhere/x.md': instancePage('note', 'x'),
  });
  await w.admin.call('delete_page', { page_id: at('b') });
});
afterAll(() => Promise.all([w.end(), empty.end()]));

const exported = (from: World) => from.admin.call('tenant_export', { tenant_id: '' });
const imports = (into: World, tarball: Buffer) =>
  into.admin.call('tenant_import', { tenant_id: '', tarball_b64: tarball.toString('base64') });
const refused = (tarball_b64: string) => empty.admin.fails('tenant_import', { tarball_b64 });
async function unpacked(tarball_b64: string): Promise<Record<string, string>> {
  const read = await tarballs.unpack(Buffer.from(tarball_b64, 'base64'));
  if ('problem' in read) throw new Error(read.problem);
  return Object.fromEntries(read.entries.map(({ path, data }) => [path, Buffer.from(data).toString()]));
}

describe('tenant_export', () => {
  test('[AD26] holds the newest markdown, in order, and says what it is', async () => {
    const { format_version, tarball_b64, bytes, sha256 } = await exported(w);
    const tarball = Buffer.from(tarball_b64, 'base64');
    expect([format_version, bytes]).toEqual([1, tarball.length]);
    expect(sha256).toBe(createHash('sha256').update(tarball).digest('hex'));
    const files = await unpacked(tarball_b64);
    const paths = ['instances/note/a.md', 'instances/note/b.md', 'skills/escurel.md', 'skills/note.md'];
    expect(Object.keys(files).filter(path => path.length < 100)).toEqual(paths);
    expect(Object.keys(files)).toContain(LONG.slice('markdown/'.length));
    expect(Object.keys(files).length).toBe(5);
    expect(files['instances/note/a.md']).toBe(instancePage('note', 'a', {}, 'A kraken\r\n'));
    expect(files['instances/note/b.md']).toContain('archived: true');
  });

  test('[AD26] same pages, same bytes', async () => {
    const [one, two] = await Promise.all([exported(w), exported(w)]);
    expect(two).toEqual(one);
    await w.put({ [at('a')]: instancePage('note', 'a', {}, 'Something else\n') });
    expect((await exported(w)).sha256).not.toBe(one.sha256);
    await w.put({ [at('a')]: instancePage('note', 'a', {}, 'A kraken\r\n') });
    expect(await exported(w)).toEqual(one);
  });

  test('[AD27] names the pages that it leaves out', async () => {
    const { meta } = await w.admin.ask('tenant_export', {});
    expect(meta).toMatchObject({ not_exported: { pages: 1, first: ['elsewhere/x.md'] } });
  });
});

describe('tenant_import', () => {
  test('[AD28, AD29] restores an export into an empty tenant', async () => {
    const one = await exported(w);
    const tarball = Buffer.from(one.tarball_b64, 'base64');
    const fresh = await world();
    try {
      expect(await imports(fresh, tarball)).toEqual({ bytes_imported: one.bytes });
      const { hits } = await fresh.admin.call('search', { q: 'kraken', granularity: 'page' });
      expect(hits.map((hit: { page_id: string }) => hit.page_id).sort()).toEqual([at('a'), LONG].sort());
      expect((await fresh.admin.call('expand', { page_id: at('b') })).page).toBeNull();
      expect((await exported(fresh)).sha256).toBe(one.sha256);
    } finally {
      await fresh.end();
    }
  });

  test('[AD28] leaves what is there already, and makes versions of what is not', async () => {
    const versions = async () => (await empty.admin.call('list_snapshots', { page_id: at('v') })).snapshots.length;
    const text = (body: string) => instancePage('note', 'v', {}, body);
    await imports(empty, tarOf([{ name: 'instances/note/v.md', data: text('one\n') }]));
    await imports(empty, tarOf([{ name: 'instances/note/v.md', data: text('one\n') }]));
    expect(await versions()).toBe(1);
    await imports(empty, tarOf([{ name: 'instances/note/v.md', data: text('two\n') }]));
    expect(await versions()).toBe(2);
    await empty.admin.call('delete_page', { page_id: at('v') });
    await imports(empty, tarOf([{ name: 'instances/note/v.md', data: text('two\n') }]));
    expect((await empty.admin.call('expand', { page_id: at('v') })).page).not.toBeNull();
  });

  test('[AD28] more pages than one commit takes, an unreadable one among them', async () => {
    const many: RawEntry[] = Array.from({ length: 450 }, (_, n) => ({
      name: `many/${n}.md`,
      data: n === 7 ? UNREADABLE : page({ type: 'instance', skill: 'note', id: `m${n}` }, 'manifold\n'),
    }));
    await imports(empty, tarOf(many));
    const { keys } = await empty.admin.call('admin_index_query', { table: 'pages', limit: 1000 }).then(payload => ({
      keys: payload.rows.map((row: { page_id: string }) => row.page_id),
    }));
    expect(keys.filter((key: string) => key.startsWith('markdown/many/')).length).toBe(450);
  });

  const fine = { name: 'fine.md', data: instancePage('note', 'fine') };
  const base64 = (entries: readonly RawEntry[], end?: Buffer): string => tarOf(entries, end).toString('base64');
  const UNFIT: readonly (readonly [string, () => string])[] = [
    ['no base64', () => `${base64([fine])}*`],
    ['nothing', () => ''],
    ['no gzip', () => Buffer.from('plain').toString('base64')],
    ['a cut gzip', () => tarOf([fine]).subarray(0, 60).toString('base64')],
    ['no tar', () => gzipSync('x'.repeat(2000)).toString('base64')],
    ['a tar without end', () => base64([fine], Buffer.alloc(0))],
    ['a damaged header', () => base64([fine, { name: 'b.md', damaged: true }])],
    ['a symlink', () => base64([fine, { name: 'l.md', type: '2' }])],
    ['a device', () => base64([fine, { name: 'l.md', type: '3' }])],
    ['a way out', () => base64([fine, { name: '../out.md', data: 'x' }])],
    ['a way out within', () => base64([fine, { name: 'a/../../out.md', data: 'x' }])],
    ['a way out by prefix', () => base64([fine, { name: 'out.md', prefix: '..', data: 'x' }])],
    [
      'a way out by a long name',
      () => base64([fine, { name: 'x', type: 'L', data: '../out.md\0' }, { name: 'ok.md' }]),
    ],
    [
      'a way out by pax',
      () => base64([fine, { name: 'x', type: 'x', data: '18 path=../out.md\n' }, { name: 'ok.md' }]),
    ],
    [
      'a broken pax record',
      () => base64([fine, { name: 'x', type: 'x', data: '99 path=out.md\n' }, { name: 'ok.md' }]),
    ],
    ['an absolute path', () => base64([fine, { name: '/etc/passwd', data: 'x' }])],
    ['a backslash', () => base64([fine, { name: 'a\\b.md', data: 'x' }])],
    ['a path twice', () => base64([fine, { name: './fine.md', data: 'x' }])],
    ['a path twice in two forms', () => base64([fine, { name: 'u\u0308.md' }, { name: 'ü.md' }])],
    ['no UTF-8', () => base64([fine, { name: 'b.md', data: Buffer.from([0xff]) }])],
    ['too large a page', () => base64([fine, { name: 'b.md', data: '\n'.repeat(200_001) }])],
    ['a page as a folder', () => base64([fine, { name: 'fine.md/below.md', data: 'x' }])],
    ['a folder that is a page here', () => base64([fine, { name: 'skills/escurel.md/x.md', data: 'x' }])],
    ['a page that is a folder here', () => base64([fine, { name: 'skills', data: 'x' }])],
  ];
  test.each(UNFIT)('[AD30] refuses %s as a whole', async (_, tarball) => {
    expect(await refused(tarball())).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
    expect((await empty.admin.call('expand', { page_id: 'markdown/fine.md' })).page).toBeNull();
  });

  test('[AD31] reads what other programs write', async () => {
    const name = `${'n'.repeat(120)}.md`;
    const pax = `${`000 path=pax/${name}\n`.length} path=pax/${name}\n`;
    await imports(
      empty,
      tarOf([
        { name: './', type: '5' },
        { name: './dot/', type: '5' },
        { name: './dot/a.md', data: 'dot' },
        { name: 'p.md', prefix: 'by/prefix', data: 'prefix' },
        { name: '././@LongLink', type: 'L', data: `gnu/${name}\0` },
        { name: 'cut.md', data: 'gnu' },
        { name: 'PaxHeader', type: 'x', data: pax },
        { name: 'cut.md', data: 'pax' },
        { name: 'pax_global_header', type: 'g', data: '52 comment=0000000000000000000000000000000000000000\n' },
        { name: 'empty.md' },
      ]),
    );
    const { rows } = await empty.admin.call('admin_index_query', { table: 'pages', limit: 1000 });
    expect(rows.map((row: { page_id: string }) => row.page_id)).toEqual(
      expect.arrayContaining(
        ['dot/a.md', 'by/prefix/p.md', `gnu/${name}`, `pax/${name}`, 'empty.md'].map(path => `markdown/${path}`),
      ),
    );
  });

  test('[AD31] reads the folder packed as a whole', async () => {
    await imports(
      empty,
      tarOf([
        { name: 'markdown/', type: '5' },
        { name: './markdown/whole/w.md', data: 'whole' },
      ]),
    );
    expect((await empty.admin.call('expand', { page_id: 'markdown/whole/w.md' })).body).toBe('whole');
  });

  test('[AD31] any paths and bytes come back as they were', async () => {
    const path = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .filter(text => !text.includes('\0') && text.isWellFormed());
    const entry = fc.record({ path, data: fc.uint8Array({ maxLength: 1500 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async entries => {
        const read = await tarballs.unpack(await tarballs.pack(entries));
        const plain = (list: readonly { path: string; data: Uint8Array }[]) =>
          list.map(one => [one.path, [...one.data]]);
        expect('entries' in read && plain(read.entries)).toEqual(plain(entries));
      }),
      { numRuns: 200 },
    );
  });
});
