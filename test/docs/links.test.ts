import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planted } from '../architecture/plant.ts';
import { brokenLinks } from './links.ts';
import { ROOT, trackedTexts } from './tracked.ts';

// The corpus of the examples is data: its links are Cairn's own, not a browser's.
const texts = () => trackedTexts(path => path.endsWith('.md') && !path.startsWith('examples/corpus/'));

test('every relative link of every text leads somewhere', () => {
  const files = texts();
  expect(files.map(file => file.path)).toContain('README.md');
  const broken = files.flatMap(file => brokenLinks(ROOT, file, path => readFileSync(join(ROOT, path), 'utf8')));
  expect(broken).toEqual([]);
});

test('a link to nothing is reported, by file and by heading', () => {
  const text = [
    '# The first title',
    '[a](b.md) [c](gone.md) [d](#the-first-title) [e](b.md#nowhere) [f](b.md#here) [g](https://example.org/x)',
    '`[h](code.md)` [i](../outside.md)',
    '```',
    '[j](fenced.md)',
    '```',
    '[k]: also-gone.md',
  ].join('\n');
  const files = { 'a.md': text, 'b.md': '## Here\n' };
  const broken = planted(files, root =>
    brokenLinks(root, { path: 'a.md', text }, path => files[path as keyof typeof files]),
  );
  expect(broken).toEqual([
    'a.md: gone.md is not there',
    'a.md: b.md#nowhere names no heading',
    'a.md: ../outside.md is not there',
    'a.md: also-gone.md is not there',
  ]);
});
