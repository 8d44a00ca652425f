import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Failure } from '../../kernel/failure.ts';
import { isObject } from '../../kernel/json.ts';
import { nearest } from '../../kernel/nearest.ts';
import { contentProblem, jsonOf, readBody } from '../body.ts';
import { coercion, type Coerce } from '../coerce.ts';
import type { ApiOp } from '../ports.ts';
import { rawSchema, type JsonSchema } from '../wire-schema.ts';
import type { V1Route } from './table.ts';

export type Ctx = Context<{ Bindings: HttpBindings }>;

const BODY_BYTES = 256 * 1024;

/** Reads what a request hands to the op of its route. */
export type ReadInput = (c: Ctx) => Promise<unknown>;

/** The body of a post; query and path of a get. Refuses what is no JSON, too large, or not asked for. */
export function inputReader(route: V1Route, op: ApiOp): ReadInput {
  if (route.method === 'post') {
    return async c => {
      queryOf(c, [], new Map());
      const body = await bodyOf(c, route.maxBodyBytes ?? BODY_BYTES);
      const { into } = route;
      if (into === undefined || !isObject(body)) return body;
      if (Object.hasOwn(body, into)) throw invalid(into, 'stands in the path');
      return { ...body, [into]: c.req.param('id')! };
    };
  }
  const properties = (rawSchema(op.input, 'input')['properties'] ?? {}) as Record<string, JsonSchema>;
  const coerces = new Map(Object.entries(properties).map(([name, node]) => [name, coercion(node)]));
  const names = route.query ?? Object.keys(properties);
  return async c => {
    const query = queryOf(c, names, coerces);
    return route.place ? route.place(c.req.param('id')!, query) : query;
  };
}

async function bodyOf({ env: { incoming } }: Ctx, limit: number): Promise<unknown> {
  // The bindings name HTTP/2 as well, which this server does not speak.
  const request = incoming as Parameters<typeof readBody>[0];
  const problem = contentProblem(request);
  if (problem) throw new Failure('unsupported-media-type', problem.message);
  const body = await readBody(request, limit);
  if (body === 'too-large') throw new Failure('payload-too-large', `the body is over ${limit} bytes`);
  const parsed = jsonOf(body);
  if (!parsed) throw new Failure('bad-json', 'expected JSON in UTF-8');
  return parsed.value;
}

function queryOf(c: Ctx, names: readonly string[], coerces: ReadonlyMap<string, Coerce>): Record<string, unknown> {
  const query = new Map<string, unknown>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (!names.includes(name)) throw unknownName(name, names);
    if (query.has(name)) throw invalid(name, 'given twice');
    query.set(name, coerces.get(name)?.(value) ?? value);
  }
  return Object.fromEntries(query);
}

function unknownName(name: string, names: readonly string[]): Failure {
  const meant = nearest(name, names);
  return invalid(name.slice(0, 64), `unknown parameter${meant === undefined ? '' : `; did you mean ${meant}?`}`);
}

const invalid = (name: string, message: string): Failure =>
  new Failure('validation-failed', `${name}: ${message}`, { issues: [{ code: 'custom', path: [name], message }] });
