import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenize } from './architecture/tokens.ts';
import { readTree } from './architecture/tree.ts';
import { testNamesOf } from './citations/citations.ts';
import { AWAITED, EXEMPT, idsOf, RANGES, REPLACED } from './citations/fact-list.ts';

const ROOT = join(import.meta.dirname, '..');
const facts = RANGES.flatMap(idsOf);

/** Every fact that the rules of the product name. */
const ruled = (): Set<string> => {
  const specs = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(path =>
    /(^|[\\/])SPEC[^\\/]*\.md$/.test(path),
  );
  return new Set(specs.flatMap(path => idsOf(readFileSync(join(ROOT, 'src', path), 'utf8'))));
};

/** Every fact that the name of a test names. */
const cited = (): Set<string> =>
  new Set(readTree(join(ROOT, 'test')).flatMap(({ tokens }) => testNamesOf(tokens).flatMap(idsOf)));

/** Every text in the files of ops: the names of tools among them. */
const toolTexts = (): Set<string> => {
  const ops = readTree(join(ROOT, 'src')).filter(({ path }) => path.endsWith('.op.ts'));
  return new Set(ops.flatMap(({ tokens }) => tokens.flatMap(({ kind, value }) => (kind === 'text' ? [value] : []))));
};

describe('facts of the pages surface', () => {
  test('each has a rule and a test that cites it, or awaits its tool', () => {
    const [rules, citations, texts] = [ruled(), cited(), toolTexts()];
    expect(texts).toContain('update_page');
    const excused = new Set(EXEMPT.map(({ fact }) => fact));
    for (const [fact, tool] of Object.entries(AWAITED)) if (!texts.has(tool)) excused.add(fact);
    const owed = facts.filter(fact => !excused.has(fact));
    expect({
      withoutRule: owed.filter(fact => !rules.has(fact)),
      withoutTest: owed.filter(fact => !citations.has(fact)),
    }).toEqual({ withoutRule: [], withoutTest: [] });
  });

  test('few are exempt, each by a sentence of the contract, and the lists name facts of the ranges', () => {
    expect(EXEMPT.length).toBeLessThanOrEqual(5);
    for (const { contract } of EXEMPT) expect(contract.length).toBeGreaterThan(20);
    const named = [...EXEMPT.map(({ fact }) => fact), ...Object.keys(AWAITED), ...Object.keys(REPLACED)];
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter(fact => !facts.includes(fact))).toEqual([]);
    expect(facts.length).toBeGreaterThan(400);
  });

  test('ids are read alone and in ranges, of one letter', () => {
    expect(idsOf('E001 and E010-E012, N003–N004 (E1, E0123)')).toEqual([
      'E001',
      'E010',
      'E011',
      'E012',
      'N003',
      'N004',
    ]);
  });

  test('the names of tests are read, and nothing else', () => {
    const text = "test('E001 a', () => expect('E002').toBe(1));\ntest.each(['E003'])(`E004 ${x} b`, run);\n// E005";
    expect(testNamesOf(tokenize(text)).flatMap(idsOf)).toEqual(['E001', 'E004']);
  });
});
