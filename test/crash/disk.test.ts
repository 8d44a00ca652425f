import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../storage/world.ts';
import { Disk, type Keep } from './disk.ts';
import { fileEvents, type FileEvent } from './trace.ts';

const write = (path: string, offset: number, text: string): FileEvent => ({
  kind: 'write',
  path,
  offset,
  data: Buffer.from(text),
});
const open = (path: string): FileEvent => ({ kind: 'open', path, create: true, truncate: false });
let ids = 0;
const sync = (path: string): FileEvent[] => {
  ids += 1;
  return [
    { kind: 'sync-begin', path, id: ids },
    { kind: 'sync-end', path, id: ids },
  ];
};

/** The files that a cut after these events leaves. */
function left(events: readonly FileEvent[], keep: Keep = () => false): Record<string, string> {
  const disk = new Disk('/d');
  for (const event of events) disk.apply(event);
  const target = tempFolder();
  disk.cut(target, keep);
  const found: Record<string, string> = {};
  for (const name of ['a', 'b', 'x/c'])
    if (existsSync(join(target, name))) found[name] = readFileSync(join(target, name), 'utf8');
  rmSync(target, { recursive: true });
  return found;
}

test('[DS81] the model loses bytes without a sync of the file and names without a sync of the folder', () => {
  const made = [open('/d/a'), write('/d/a', 0, 'one')];
  expect(left(made)).toEqual({});
  expect(left([...made, ...sync('/d/a')])).toEqual({});
  expect(left([...made, ...sync('/d')])).toEqual({ a: '' });
  expect(left([...made, ...sync('/d/a'), ...sync('/d'), write('/d/a', 3, ' two')])).toEqual({ a: 'one' });
  expect(left(made, () => true)).toEqual({ a: 'one' });
});

test('[DS81] the model renames whole or not at all', () => {
  const old = [open('/d/a'), write('/d/a', 0, 'old'), ...sync('/d/a'), ...sync('/d')];
  const renamed: FileEvent[] = [
    open('/d/b'),
    write('/d/b', 0, 'new'),
    ...sync('/d/b'),
    { kind: 'rename', from: '/d/b', to: '/d/a' },
  ];
  expect(left([...old, ...renamed])).toEqual({ a: 'old' });
  expect(left([...old, ...renamed, ...sync('/d')])).toEqual({ a: 'new' });
  expect(left([...old, ...renamed], () => true)).toEqual({ a: 'new' });
});

test('[DS81] the model needs every folder on the way, and a sync covers only what came before it began', () => {
  const deep: FileEvent[] = [
    { kind: 'mkdir', path: '/d/x' },
    open('/d/x/c'),
    write('/d/x/c', 0, 'deep'),
    ...sync('/d/x/c'),
    ...sync('/d/x'),
  ];
  expect(left(deep)).toEqual({});
  expect(left([...deep, ...sync('/d')])).toEqual({ 'x/c': 'deep' });
  const [begin, end] = sync('/d/a') as [FileEvent, FileEvent];
  expect(left([open('/d/a'), ...sync('/d'), write('/d/a', 0, 'one'), begin, write('/d/a', 3, 'two'), end])).toEqual({
    a: 'one',
  });
});

test('[DS81] the model keeps any sectors of an unsynced write', () => {
  let turn = 0;
  const text = left([open('/d/a'), ...sync('/d'), write('/d/a', 0, 'x'.repeat(1024))], () => turn++ % 2 === 1)['a'];
  expect(text).toBe('\0'.repeat(512) + 'x'.repeat(512));
});

test('[DS81] calls are read off a trace in the order of their answers', () => {
  const hex = (text: string): string =>
    [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  const trace = [
    `10 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/a')}", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 7<${hex('/d/a')}>`,
    `10 write(7<${hex('/d/a')}>, "${hex('ab')}", 2) = 2`,
    `11 fdatasync(7<${hex('/d/a')}> <unfinished ...>`,
    `10 write(7<${hex('/d/a')}>, "${hex('cd')}", 2) = 2`,
    `11 <... fdatasync resumed>) = 0`,
    `10 pwrite64(7<${hex('/d/a')}>, "${hex('xyz')}", 3, 4096) = 3`,
    `10 rename("${hex('/d/a')}", "${hex('/d/ü')}") = 0`,
    `10 unlink("${hex('/d/none')}") = -1 ENOENT (No such file or directory)`,
    `10 ftruncate(7<${hex('/d/ü')}>, 5) = 0`,
    `10 write(7<${hex('/d/ü')}>(deleted), "${hex('q')}", 1) = 1`,
  ].join('\n');
  expect(fileEvents(trace, '/d')).toEqual([
    { kind: 'open', path: '/d/a', create: true, truncate: false },
    { kind: 'write', path: '/d/a', offset: 0, data: Buffer.from('ab') },
    { kind: 'sync-begin', path: '/d/a', id: 1 },
    { kind: 'write', path: '/d/a', offset: 2, data: Buffer.from('cd') },
    { kind: 'sync-end', path: '/d/a', id: 1 },
    { kind: 'write', path: '/d/a', offset: 4096, data: Buffer.from('xyz') },
    { kind: 'rename', from: '/d/a', to: '/d/ü' },
    { kind: 'truncate', path: '/d/ü', size: 5 },
  ]);
  expect(() => fileEvents(`10 fallocate(7<${hex('/d/a')}>, 0, 0, 5) = 0`, '/d')).toThrow('fallocate');
});
