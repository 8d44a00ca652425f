import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { KEYS } from '../../src/kernel/settings/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const REFERENCE = join(ROOT, 'docs/reference/settings.md');
const folder = mkdtempSync(join(tmpdir(), 'cairn-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const generate = (...words: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/docs-settings.ts', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });

describe('the reference of settings', () => {
  test('[ST5] it is up to date and names every setting', () => {
    expect(generate('--check')).toMatchObject({ status: 0, stderr: '' });
    const text = readFileSync(REFERENCE, 'utf8');
    for (const key of KEYS) expect(text).toContain(`| \`${key}\``);
  });

  test('[ST5] the check fails for a file that is changed or missing, and writing repairs it', () => {
    const copy = join(folder, 'settings.md');
    expect(generate('--check', copy).status).toBe(1);
    writeFileSync(copy, readFileSync(REFERENCE, 'utf8').replace('8080', '8081'));
    expect(generate('--check', copy)).toMatchObject({ status: 1, stderr: expect.stringContaining('out of date') });
    expect(generate(copy).status).toBe(0);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(REFERENCE, 'utf8'));
  });
});
