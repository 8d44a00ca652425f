import { isObject, type Json } from '../kernel/json.ts';
import { FILTER_OPERATORS, type FilterClause, type FilterOperator } from './schema.ts';

export interface FilterProblem {
  readonly code: 'filter_operator_unknown' | 'filter_value_type' | 'filter_too_large';
  /** `filter.<key>`, or `filter` as a whole. */
  readonly location: string;
  readonly message: string;
  readonly suggestion: string;
}

const MOST_KEYS = 100;
const MOST_VALUES = 1000;
const MOST_LEVELS = 32;

/** A wire filter as clauses, or every problem it has; with a problem nothing is dispatched (FilterClause, E285-E292). */
export function parseFilter(filter: Readonly<Record<string, unknown>>): {
  clauses: FilterClause[];
  problems: FilterProblem[];
} {
  const clauses: FilterClause[] = [];
  const problems: FilterProblem[] = [];
  const keys = Object.entries(filter);
  if (keys.length > MOST_KEYS) return { clauses, problems: [tooLarge('filter', `${MOST_KEYS} keys`)] };
  for (const [key, value] of keys) {
    if (isDeeper(value, MOST_LEVELS)) {
      problems.push(tooLarge(`filter.${key}`, `${MOST_LEVELS} levels`));
      continue;
    }
    if (!isObject(value)) {
      clauses.push({ key, operator: 'equals', value: value as Json });
      continue;
    }
    const parts = Object.entries(value);
    if (parts.length > MOST_KEYS) {
      problems.push(tooLarge(`filter.${key}`, `${MOST_KEYS} operators`));
      continue;
    }
    if (parts.length === 0) problems.push(unknownOperator(key, '{}'));
    for (const [operator, operand] of parts) {
      const problem = operandProblem(key, operator, operand);
      if (problem) problems.push(problem);
      else clauses.push({ key, operator: operator as FilterOperator, value: operand as Json });
    }
  }
  return { clauses, problems };
}

function operandProblem(key: string, operator: string, operand: unknown): FilterProblem | null {
  if (!(FILTER_OPERATORS as readonly string[]).includes(operator)) return unknownOperator(key, operator);
  if (operator === 'in') {
    if (!Array.isArray(operand)) return wrongType(key, operator, 'a list of values');
    return operand.length > MOST_VALUES ? tooLarge(`filter.${key}`, `${MOST_VALUES} values`) : null;
  }
  if (operator === 'not') return isObject(operand) ? wrongType(key, operator, 'a plain value') : null;
  return typeof operand === 'number' || typeof operand === 'string'
    ? null
    : wrongType(key, operator, 'a number or a string');
}

/** Whether a value has more levels of lists and mappings than that; stops as soon as it has. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1));
}

function tooLarge(location: string, most: string): FilterProblem {
  const message = `more than ${most}`;
  return { code: 'filter_too_large', location, message, suggestion: 'ask for less at a time' };
}

function unknownOperator(key: string, operator: string): FilterProblem {
  return {
    code: 'filter_operator_unknown',
    location: `filter.${key}`,
    message: `unknown operator ${operator.slice(0, 64)}`,
    suggestion: `use one of ${FILTER_OPERATORS.join(', ')}, or a plain value for equality`,
  };
}

function wrongType(key: string, operator: string, wanted: string): FilterProblem {
  return {
    code: 'filter_value_type',
    location: `filter.${key}`,
    message: `operator ${operator} takes ${wanted}`,
    suggestion: `send ${wanted}`,
  };
}
