import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { watchFolders } from '../../src/storage/lanes/watch-folders.ts';
import { tempFolder } from './world.ts';

test.each([
  ['below a watched one', 'markdown/x'],
  ['of the lane itself', 'markdown'],
])(
  '[DS90] a folder %s that the server comes upon is looked into: its file was laid before it was watched',
  async (_, folder) => {
    const root = tempFolder();
    const heard: string[] = [];
    const nothing = () => undefined;
    if (dirname(folder) !== '.') mkdirSync(join(root, dirname(folder)), { recursive: true });
    const watch = watchFolders(root, ['markdown'], {
      touched: files => void heard.push(...files.map(({ path }) => path)),
      folderGone: nothing,
      lost: nothing,
      blind: nothing,
    });
    watch.arm('markdown');
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'laid.md'), 'x');
    watch.discovered(folder);
    await expect.poll(() => heard, { timeout: 20_000 }).toContain(`${folder}/laid.md`);
    watch.stop();
  },
);
