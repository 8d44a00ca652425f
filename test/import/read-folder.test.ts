import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFolder } from '../../src/cli/import/read-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'cairn-import-'));
afterAll(() => rmSync(root, { recursive: true }));

function folder(name: string, files: Record<string, string | Uint8Array>): string {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, name, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, content);
  }
  return join(root, name);
}

test('[IM11] what is no markdown text is listed with its reason', async () => {
  const path = folder('mixed', {
    'a.md': 'A',
    'Ü/b.markdown': '\ufeffB\r\n',
    'c.txt': 'C',
    'latin.md': Uint8Array.of(0xe4, 0x0a),
    'big.md': 'x'.repeat(101),
    '.obsidian/app.json': '{}',
    '.hidden.md': 'H',
    'node_modules/p/README.md': 'P',
    'data/state.sqlite': 'S',
    'data/markdown/skills/x.md': 'X',
  });
  const { files, unmapped } = await readFolder(path, { without: join(path, 'data'), maxBytes: 100 });
  expect(files).toEqual([
    { path: 'a.md', text: 'A' },
    { path: 'Ü/b.markdown', text: '\ufeffB\r\n' },
  ]);
  expect(unmapped).toEqual([
    { file: '.hidden.md', reason: 'hidden' },
    { file: '.obsidian/', reason: 'hidden' },
    { file: 'big.md', reason: 'too large: 101 bytes, at most 100' },
    { file: 'c.txt', reason: 'not markdown' },
    { file: 'data/', reason: 'the data folder of the server' },
    { file: 'latin.md', reason: 'not UTF-8' },
    { file: 'node_modules/', reason: 'installed packages' },
  ]);
});

test('[IM11] links are not followed, whether they stay in the folder or leave it', async () => {
  const outside = folder('outside', { 'secret.md': 'S', 'inside/a.md': 'A', 'inside/sub/b.md': 'B' });
  const path = join(outside, 'inside');
  symlinkSync(join(outside, 'secret.md'), join(path, 'leaves.md'));
  symlinkSync('..', join(path, 'up'));
  symlinkSync('sub', join(path, 'folder'));
  symlinkSync('.', join(path, 'loop'));
  symlinkSync('nowhere.md', join(path, 'broken.md'));
  const { files, unmapped } = await readFolder(path);
  expect(files.map(file => file.path)).toEqual(['a.md', 'sub/b.md']);
  expect(unmapped).toEqual([
    { file: 'broken.md', reason: 'a link to nothing: nowhere.md' },
    { file: 'folder', reason: 'a link to sub, which is looked at by itself' },
    { file: 'leaves.md', reason: 'a link that leaves the folder' },
    { file: 'loop', reason: 'a link to ., which is looked at by itself' },
    { file: 'up', reason: 'a link that leaves the folder' },
  ]);
});

test('[IM11] a folder that is itself a link is read', async () => {
  const path = folder('real', { 'a.md': 'A' });
  symlinkSync(path, join(root, 'alias'));
  expect((await readFolder(join(root, 'alias'))).files).toHaveLength(1);
});

test.skipIf(process.getuid?.() === 0)('[IM11] a file that cannot be read does not end the import', async () => {
  const path = folder('closed', { 'a.md': 'A', 'b.md': 'B' });
  chmodSync(join(path, 'a.md'), 0);
  const { files, unmapped } = await readFolder(path);
  expect(files.map(file => file.path)).toEqual(['b.md']);
  expect(unmapped).toEqual([{ file: 'a.md', reason: 'cannot be read: EACCES' }]);
});
