import { isObject, type Json } from '../kernel/json.ts';
import { FILTER_OPERATORS, type FilterClause, type FilterOperator } from './schema.ts';

export interface FilterProblem {
  readonly code: 'filter_operator_unknown' | 'filter_value_type';
  /** `filter.<key>`. */
  readonly location: string;
  readonly message: string;
  readonly suggestion: string;
}

/** A wire filter as clauses, or every problem it has; with a problem nothing is dispatched (FilterClause, E285-E292). */
export function parseFilter(filter: Readonly<Record<string, unknown>>): {
  clauses: FilterClause[];
  problems: FilterProblem[];
} {
  const clauses: FilterClause[] = [];
  const problems: FilterProblem[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (!isObject(value)) {
      clauses.push({ key, operator: 'equals', value: value as Json });
      continue;
    }
    const parts = Object.entries(value);
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
  if (operator === 'in') return Array.isArray(operand) ? null : wrongType(key, operator, 'a list of values');
  if (operator === 'not') return isObject(operand) ? wrongType(key, operator, 'a plain value') : null;
  return typeof operand === 'number' || typeof operand === 'string'
    ? null
    : wrongType(key, operator, 'a number or a string');
}

function unknownOperator(key: string, operator: string): FilterProblem {
  return {
    code: 'filter_operator_unknown',
    location: `filter.${key}`,
    message: `unknown operator ${operator}`,
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
