import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../src/search/index.ts';
import { FILTER_OPERATORS } from '../../src/search/schema.ts';

const MANY = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1]));

describe('filter', () => {
  test('[SR4] too many keys are one problem', () => {
    expect(parseFilter(MANY)).toMatchObject({
      clauses: [],
      problems: [{ code: 'filter_too_large', location: 'filter' }],
    });
  });

  test('[SR3] plain values are equality, operators are clauses of their own', () => {
    const { clauses, problems } = parseFilter({
      status: 'open',
      at: { '>=': '2026-01-01', '<': '2026-02-01' },
      prev: null,
    });
    expect(problems).toEqual([]);
    expect(clauses).toEqual([
      { key: 'status', operator: 'equals', value: 'open' },
      { key: 'at', operator: '>=', value: '2026-01-01' },
      { key: 'at', operator: '<', value: '2026-02-01' },
      { key: 'prev', operator: 'equals', value: null },
    ]);
  });

  test('[SR3] a list is compared as a whole', () => {
    expect(parseFilter({ tags: ['a'] }).clauses).toEqual([{ key: 'tags', operator: 'equals', value: ['a'] }]);
  });

  test.each([
    ['an unknown operator', { a: { like: 'x' } }, 'filter_operator_unknown'],
    ['no operator', { a: {} }, 'filter_operator_unknown'],
    ['in without a list', { a: { in: 'x' } }, 'filter_value_type'],
    ['a comparison with a list', { a: { '>': [1] } }, 'filter_value_type'],
    ['a comparison with a boolean', { a: { '<=': true } }, 'filter_value_type'],
    ['not with a mapping', { a: { not: { b: 1 } } }, 'filter_value_type'],
    ['in with too many values', { a: { in: Array(1001).fill(1) } }, 'filter_too_large'],
    ['too many levels', { a: JSON.parse('['.repeat(40) + ']'.repeat(40)) }, 'filter_too_large'],
    ['too many operators', { a: MANY }, 'filter_too_large'],
  ])('[SR4] %s is reported with its place', (_name, filter, code) => {
    const { clauses, problems } = parseFilter(filter);
    expect(clauses).toEqual([]);
    expect(problems.map(p => [p.code, p.location])).toEqual([[code, 'filter.a']]);
    expect(problems[0]!.suggestion).not.toBe('');
  });

  test('[SR4] every operand of a filter ends up as a clause or as a problem', () => {
    const operand = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...FILTER_OPERATORS, 'x'), fc.jsonValue()));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), operand), filter => {
        const { clauses, problems } = parseFilter(filter);
        const wanted = Object.values(filter).reduce<number>((sum, value) => {
          const mapping = typeof value === 'object' && value !== null && !Array.isArray(value);
          return sum + (mapping ? Math.max(1, Object.keys(value).length) : 1);
        }, 0);
        expect(clauses.length + problems.length).toBe(wanted);
      }),
    );
  });
});
