import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openImporter } from '../../src/app/import.ts';
import { settingsOfProcess } from '../../src/cli/settings.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-import-'));
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes/A.md'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command in a folder without a configuration and with no other variables than these. */
function cairn(words: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), MAIN, 'import', ...words],
    { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' },
  );
  return { status, stdout, lines: stderr.split('\n').filter(line => line !== '' && !line.startsWith('{')) };
}

test('[IM16, IM17, IM18] imports without any settings, says so on stdout alone, and ends with 3 when a page differs', () => {
  const first = cairn(['notes', '--data-dir', 'kept', '--json']);
  expect(first).toMatchObject({ status: 0, lines: [] });
  expect(JSON.parse(first.stdout)).toMatchObject({ folder: 'notes', summary: { created: 2 } });
  expect(existsSync(join(folder, 'kept/state.sqlite'))).toBe(true);
  writeFileSync(join(folder, 'notes/A.md'), 'two');
  const second = cairn(['notes'], { CAIRN_DATA_DIR: 'kept' });
  expect(second).toMatchObject({ status: 3, lines: [] });
  expect(second.stdout).toContain('Pages: 1 unchanged, 1 differs\n');
});

test('[IM15] a data folder in use is refused with the pid that has it and what to do', async () => {
  const reading = settingsOfProcess({ CAIRN_AUTH_MODE: 'open', CAIRN_DATA_DIR: join(folder, 'data') });
  if (!reading.ok) throw new Error('settings were refused');
  const holder = await openImporter(reading.settings);
  const { status, stdout, lines } = cairn(['notes']);
  await holder.close();
  expect([status, stdout, lines.length]).toEqual([1, '', 1]);
  expect(lines[0]).toMatch(new RegExp(`^data-folder-locked: .*\\b${process.pid}\\b.*stop the server`));
});

test('[IM16] wrong usage ends with 2, a folder that is not there and refused settings with 1', () => {
  expect(cairn([])).toMatchObject({ status: 2, stdout: '' });
  expect(cairn(['notes', '--into', ' ']).status).toBe(2);
  const missing = cairn(['nowhere']);
  expect([missing.status, missing.lines[0]]).toEqual([
    1,
    expect.stringMatching(/^import-folder-unreadable: nowhere: /),
  ]);
  const refused = cairn(['notes'], { CAIRN_PORT: 'many' });
  expect([refused.status, refused.lines[0]]).toEqual([1, expect.stringMatching(/^setting-invalid: /)]);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
