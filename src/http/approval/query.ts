import { Failure } from '../../kernel/failure.ts';
import type { Ctx } from './answer.ts';

/** The query of a request as the op of its route takes it. Refuses names that the route does not have, and names given twice. */
export function queryOf(c: Ctx, names: readonly string[]): Record<string, unknown> {
  const query = new Map<string, unknown>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (!names.includes(name)) throw invalid(name, 'unknown parameter');
    if (query.has(name)) throw invalid(name, 'given twice');
    query.set(name, name === 'limit' && /^\d{1,9}$/.test(value) ? Number(value) : value);
  }
  return Object.fromEntries(query);
}

const invalid = (name: string, message: string): Failure => {
  const path = name.slice(0, 64);
  return new Failure('validation-failed', `${path}: ${message}`, {
    issues: [{ code: 'custom', path: [path], message }],
  });
};
