import { expect, test } from 'vitest';
import { normalizePageId, pageIdProblem } from '../../../src/pages/index.ts';

test.each([
  'markdown/skills/escurel.md',
  'a',
  'a..b/.hidden/...',
  '%2e%2e/x',
  'notes/Größe 12 %.md',
  '😀/é',
  'ä'.repeat(100),
  `${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(110)}`,
])('[PG35] %s is a page id', id => {
  expect(pageIdProblem(id)).toBeNull();
});

test.each([
  ['', 'empty'],
  ['/etc/x', 'relative'],
  ['//', 'relative'],
  ['a\\b', 'backslash'],
  ['..', '. or ..'],
  ['../x', '. or ..'],
  ['a/../b', '. or ..'],
  ['a/./b', '. or ..'],
  ['a//b', 'empty segments'],
  ['a/', 'empty segments'],
  ['a\0b', 'control'],
  ['a\nb', 'control'],
  ['a\x7f', 'control'],
  ['a\ud800', 'well-formed'],
  ['e\u0301', 'NFC'],
  ['ä'.repeat(101), '200 bytes'],
  [`${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(111)}`, '512 bytes'],
])('[PG35] %j is none', (id, why) => {
  expect(pageIdProblem(id)).toContain(why);
});

test('[PG35] both Unicode forms of a name are one id', () => {
  const decomposed = 'markdown/instances/ort/Köln.md'.normalize('NFD');
  expect(pageIdProblem(decomposed)).not.toBeNull();
  expect(normalizePageId(decomposed)).toBe('markdown/instances/ort/Köln.md'.normalize('NFC'));
  expect(pageIdProblem(normalizePageId(decomposed))).toBeNull();
});
