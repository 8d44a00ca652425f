import type { Registry } from '../kernel/registry.ts';
import { argumentSchema } from './wire-schema.ts';

/** One plain route, for the document. */
export interface RouteDoc {
  readonly path: string;
  readonly summary: string;
  /** Status to what it means. */
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * The OpenAPI 3.1 document as JSON text: routes that exist, the schema of each tool's arguments as `<tool>_input`, and the
 * tool names as an enum (E031, E032). `more`: further paths as the document has them.
 */
export function openApi(
  ops: Registry,
  endpoints: readonly string[],
  routes: readonly RouteDoc[],
  more: Readonly<Record<string, object>>,
  version: string,
): string {
  const names = ops.ops.map(op => op.name);
  const inputs = Object.fromEntries(
    ops.ops.map(op => [
      `${op.name}_input`,
      { ...argumentSchema(op.input), description: op.summary, 'x-execution': op.execution, 'x-scope': op.scope },
    ]),
  );
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'escurel agent surface', version },
    paths: {
      ...Object.fromEntries(endpoints.map(path => [path, { post: mcpOperation(path) }])),
      ...Object.fromEntries(routes.map(route => [route.path, { get: operation(route) }])),
      ...more,
    },
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      schemas: { ...inputs, tool_name: { type: 'string', enum: names }, tool_call: TOOL_CALL },
    },
  });
}

const TOOL_CALL = {
  type: 'object',
  description: 'A JSON-RPC 2.0 request; `arguments` follow the schema `<name>_input`.',
  required: ['jsonrpc', 'id', 'method', 'params'],
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'integer'] },
    method: { type: 'string', const: 'tools/call' },
    params: {
      type: 'object',
      required: ['name'],
      properties: { name: { $ref: '#/components/schemas/tool_name' }, arguments: { type: 'object' } },
    },
  },
};

const mcpOperation = (path: string): object => ({
  summary: `Model Context Protocol, one JSON-RPC message a request (${path})`,
  security: [{ bearerAuth: [] }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/tool_call' } } },
  },
  responses: {
    200: { description: 'The result, or an error in the JSON-RPC body' },
    202: { description: 'A notification was taken' },
    401: { description: 'No valid bearer token' },
    403: { description: 'Another tenant, or the tenant is suspended' },
    429: { description: 'The quota is exhausted; Retry-After-Ms says for how long' },
  },
});

const operation = (route: RouteDoc): object => ({
  summary: route.summary,
  responses: Object.fromEntries(
    Object.entries(route.answers).map(([status, description]) => [status, { description }]),
  ),
});
