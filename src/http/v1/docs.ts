import type { ApiOp } from '../ports.ts';
import { argumentSchema, type JsonSchema } from '../wire-schema.ts';
import { V1_ROUTES, type V1Route } from './table.ts';

/** The routes of `/v1` whose op is there, as paths of an OpenAPI document. */
export function v1Docs(api: readonly ApiOp[]): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of V1_ROUTES) {
    const op = api.find(one => one.name === route.op);
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    if (op) (paths[path] ??= {})[route.method] = operationOf(route, op);
  }
  return paths;
}

const operationOf = (route: V1Route, op: ApiOp): object => ({
  summary: op.summary,
  security: [{ bearerAuth: [] }],
  ...(route.method === 'post' ? bodyOf(route, op) : { parameters: parametersOf(route, op) }),
  responses: RESPONSES,
});

function bodyOf({ into }: V1Route, op: ApiOp): object {
  const schema = argumentSchema(op.input);
  const content = (body: JsonSchema): object => ({
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
  });
  if (into === undefined) return content(schema);
  const { [into]: _placed, ...properties } = schema['properties'] as Record<string, JsonSchema>;
  const required = ((schema['required'] ?? []) as string[]).filter(name => name !== into);
  return { parameters: [ID], ...content({ ...schema, properties, required }) };
}

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function parametersOf(route: V1Route, op: ApiOp): object[] {
  const schema = argumentSchema(op.input);
  const properties = schema['properties'] as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  const names = route.query ?? Object.keys(properties);
  const query = names.map(name => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: properties[name] ?? { type: 'integer' },
  }));
  return route.place ? [ID, ...query] : query;
}

const RESPONSES = {
  200: { description: 'What was asked for' },
  400: { description: 'The request does not fit; `issues` say where' },
  401: { description: 'No credential with a grant' },
  403: { description: 'Not with this grant' },
  404: { description: 'Not there' },
  429: { description: 'Too many requests; Retry-After says for how long' },
};
