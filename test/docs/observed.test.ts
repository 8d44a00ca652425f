import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/http/index.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import { readTree } from '../architecture/tree.ts';
import { ROOT } from './tracked.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** The cells of every table row that begins with a name in backticks. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| `[^`]+` \|.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
const named = (cell: string | undefined): string => cell?.replaceAll('`', '') ?? '';

describe('what is said about errors and metrics', () => {
  test('every code stands in the reference as the table of failures has it', () => {
    const rows = rowsOf(read('docs/reference/errors.md')).filter(row => row.length === 5);
    const said = Object.fromEntries(rows.map(([code, http, rpc, again]) => [named(code), [http, rpc, again]]));
    const table = Object.entries(FAILURES).map(([code, { http, rpc, retryable }]) => [
      code,
      [String(http), String(rpc), retryable ? 'yes' : 'no'],
    ]);
    expect(said).toEqual(Object.fromEntries(table));
  });

  test('every code of an issue that the pages give stands there, and no other', () => {
    const rows = rowsOf(read('docs/reference/errors.md')).filter(row => row.length === 3);
    const sources = ['src/pages', 'src/search'].flatMap(folder => readTree(join(ROOT, folder)));
    const given = sources.flatMap(({ text }) => [
      ...text.matchAll(
        /refusal\(\s*'([a-z_]+)'|finding\(\s*(?:'\w+'|[^'(]*?),\s*'([a-z_]+)'|\bcode: '([a-z_]+)',\s*location/g,
      ),
    ]);
    const codes = given.map(([, refused, found, made]) => refused ?? found ?? made);
    expect(codes.length).toBeGreaterThan(20);
    expect(rows.map(([code]) => named(code))).toEqual([...new Set(codes)].toSorted());
  });

  test('every series is told of with its labels', async () => {
    const metrics = createMetrics();
    metrics.toolCall('t', 'tool', 'rest', 'ok', 1);
    metrics.request('/', 200, 1);
    metrics.write('t', 'agent');
    metrics.auditDrift('t', 'category', 0);
    const served = await metrics.text();
    const rows = rowsOf(read('docs/guide/watch.md')).filter(([name]) => named(name).startsWith('escurel_'));
    expect(rows.map(([name]) => named(name)).toSorted()).toEqual(
      [...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name).toSorted(),
    );
    for (const [name, labels] of rows) {
      const series = new RegExp(`^${named(name)}(?:_sum)?\\{([^}]*)\\}`, 'm').exec(served)?.[1] ?? '';
      const keys = series.split(',').flatMap(pair => pair.split('=')[0] || []);
      expect([name, series === '' ? [] : keys]).toEqual([name, series === '' ? [] : (labels ?? '').split(', ')]);
    }
  });
});
