import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenize } from './architecture/tokens.ts';
import { readTree } from './architecture/tree.ts';
import { citationsOf, mismatches, rulesOf } from './citations/citations.ts';

const ROOT = join(import.meta.dirname, '..');

describe('rules and the tests that hold them', () => {
  test('every rule is cited by a test and every citation has a rule', () => {
    const specs = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(path =>
      /(^|[\\/])SPEC[^\\/]*\.md$/.test(path),
    );
    const rules = specs.flatMap(path => rulesOf(path, readFileSync(join(ROOT, 'src', path), 'utf8')));
    const citations = readTree(join(ROOT, 'test')).flatMap(module => citationsOf(module.path, module.tokens));
    expect(mismatches(rules, citations)).toEqual([]);
  });

  test('rules are read off the beginnings of lines', () => {
    const text = 'AB1 One.\n**AB2** Two.\n- `AB3` Three.\nsee AB4\nABC5 no\nAB6x no\n';
    expect(rulesOf('SPEC.md', text)).toEqual([
      { id: 'AB1', at: 'SPEC.md:1' },
      { id: 'AB2', at: 'SPEC.md:2' },
      { id: 'AB3', at: 'SPEC.md:3' },
    ]);
  });

  test('citations are read off the names of tests alone', () => {
    const text = [
      `test('[AB1] a', () => expect('[AB9]').toBe(1));`,
      'it.each([[1, (2)]])(`[AB2] b ${x}`, run);',
      `test.skipIf(no)('[AB3, AB4] c', () => {});`,
      `describe('[AB5] no test', () => {});`,
      `// test('[AB6] a remark')`,
      `suite.test('[AB7] of something else');`,
      `test('[AB8][AB10] d', run);`,
    ].join('\n');
    const ids = citationsOf('x.test.ts', tokenize(text)).map(place => place.id);
    expect(ids).toEqual(['AB1', 'AB2', 'AB3', 'AB4', 'AB8', 'AB10']);
  });

  test('each kind of mismatch is reported', () => {
    const rules = rulesOf('S.md', 'AB1 a\nAB2 b\nAB1 c\n');
    const citations = citationsOf('t.ts', tokenize(`test('[AB1] a');\ntest('[AB3] b');`));
    expect(mismatches(rules, citations)).toEqual([
      'S.md:3: AB1 already stands at S.md:1',
      'S.md:2: AB2 is cited by no test',
      't.ts:2: AB3 is no rule',
    ]);
    expect(mismatches([], [])).toEqual(['found no rule', 'found no citation']);
  });
});
