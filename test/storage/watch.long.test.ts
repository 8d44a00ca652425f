import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { idOf, outside, textOf } from './outside-files.ts';
import { tempFolder } from './world.ts';

test('[DS92] a queue of the system that overflows loses no edit', async () => {
  const o = await outside(['a'], { watch: true });
  const names = Array.from({ length: 9000 }, (_, n) => `many/n${n}`);
  // Each file is three events; all are made before the first of them can be heard, and the queue takes fewer.
  for (const name of names) o.edit(idOf(name), textOf(name));
  const missing = async (): Promise<number> => {
    const rows = await Promise.all(names.map(name => o.world.storage.index.page(idOf(name))));
    return rows.filter(row => row === undefined).length;
  };
  await expect.poll(missing, { timeout: 120_000, interval: 500 }).toBe(0);
  await o.end();
});

test('[DS92] where no folder can be watched, edits are seen by looking', async () => {
  const folder = tempFolder();
  const child = spawn(
    'strace',
    ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=inotify_add_watch', '-e', 'inject=inotify_add_watch:error=ENOSPC']
      .concat([process.execPath, '--import', import.meta.resolve('tsx')])
      .concat([fileURLToPath(new URL('./watches.child.ts', import.meta.url)), join(folder, 'data')]),
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', line => lines.push(line));
  const line = (part: string) =>
    expect.poll(() => lines.some(each => each.includes(part)), { timeout: 60_000, interval: 50 }).toBe(true);
  await line('open');
  const file = join(folder, 'data', idOf('a'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, textOf('a'));
  await line(`${idOf('a')} 1 external`);
  writeFileSync(file, `${textOf('a')} and more`);
  await line(`${idOf('a')} 2 external`);
  await line('not all folders can be watched');
  child.stdin.end();
  await new Promise(resolve => child.once('exit', resolve));
  rmSync(folder, { recursive: true });
});
