import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const CHILD = new URL('./log-lines.child.ts', import.meta.url).pathname;
const COUNT = 6000;

const started = (end: string) => spawn(process.execPath, ['--import', 'tsx', CHILD, end, String(COUNT)]);

test.each([
  ['exit', 0],
  ['fault', 1],
  ['end', 0],
])('[KE10] lines are whole and in order after %s', async (end, code) => {
  const child = started(end);
  let told = '';
  child.stderr.resume();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
  const [ended] = (await once(child, 'close')) as [number];
  expect(ended).toBe(code);
  const lines = told.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map(line => Number(line.split(' ')[0]))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  expect(new Set(lines.map(line => line.split(' ')[1]))).toEqual(new Set(['x'.repeat(200)]));
});

test('[KE10] a reader who has gone ends nothing', async () => {
  const child = started('end');
  child.stdout.destroy();
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
  const [ended] = (await once(child, 'close')) as [number];
  expect([ended, told]).toEqual([0, 'still here']);
});
