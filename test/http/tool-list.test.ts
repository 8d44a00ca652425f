import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { adminOps, agentOps, type AdminParts } from '../../src/app/agent.ts';
import { argumentSchema, resultSchema, type JsonSchema } from '../../src/http/wire-schema.ts';
import type { PagesDeps } from '../../src/pages/index.ts';
import { ADMIN, as, rpc, stateless, world, type World } from './world.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly [key: string]: unknown;
}

/** Every place below a schema that breaks the rules of the wire, as a path. */
function faults(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [`${path}: no schema`];
  const schema = node as JsonSchema;
  const types = [schema.type].flat();
  const own = types.every(type => typeof type === 'string') && types.length > 0 ? [] : [`${path}: no type`];
  const reference = '$ref' in schema || '$defs' in schema ? [`${path}: a reference`] : [];
  const named = Object.entries((schema['properties'] ?? {}) as object).flatMap(([key, child]) =>
    faults(child, `${path}/${key}`),
  );
  const nested = ['items', 'additionalProperties'].flatMap(key =>
    typeof schema[key] === 'object' ? faults(schema[key], `${path}/${key}`) : [],
  );
  const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap(key =>
    ((schema[key] ?? []) as unknown[]).flatMap((child, index) => faults(child, `${path}/${key}/${index}`)),
  );
  return [...own, ...reference, ...named, ...nested, ...listed];
}

const everything = z.object({
  text: z.string().describe('A text.'),
  when: z.iso.datetime().optional(),
  count: z.number().int().optional(),
  open: z.unknown(),
  json: z.json().optional(),
  list: z.array(z.any()).default([]),
  map: z.record(z.string(), z.unknown()),
  nullable: z.string().nullable().default(null),
  choice: z.enum(['a', 'b']).nullable(),
  either: z.union([z.string(), z.object({ in: z.array(z.unknown()) })]),
  kinds: z.discriminatedUnion('k', [
    z.object({ k: z.literal('a') }),
    z.object({ k: z.literal('b'), deep: z.array(z.object({ x: z.unknown() })) }),
  ]),
  pair: z.tuple([z.string(), z.number()]),
  literals: z.literal(['a', 1, null]),
  both: z.intersection(z.record(z.string(), z.unknown()), z.object({ w: z.string() })),
});

describe('tools/list', () => {
  let w: World;
  const list = async (token: string, headers: Record<string, string> = {}): Promise<Tool[]> =>
    (await w.post(rpc('tools/list'), { ...as(token), ...headers })).json.result.tools;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  test('[HT19] agents see the tools of their scope, admins all, in one order', async () => {
    const all = (await list(ADMIN)).map(tool => tool.name);
    expect(all).toEqual(['echo', 'write', 'report', 'fail', 'noted', 'wait', 'secret_admin']);
    const agent = await list('agent-token');
    expect(agent.map(tool => tool.name)).toEqual(all.filter(name => name !== 'secret_admin'));
    expect(agent.every(tool => tool['scope'] === 'agent')).toBe(true);
  });

  test('[HT19] an entry has its keys and no other', async () => {
    const [echo, write, report] = await list(ADMIN);
    const keys = ['annotations', 'description', 'execution', 'inputSchema', 'name', 'scope'];
    expect(Object.keys(report!).toSorted()).toEqual(keys);
    expect(Object.keys(echo!).toSorted()).toEqual([...keys, 'outputSchema'].toSorted());
    expect(echo).toMatchObject({
      description: 'Answers what it was given.',
      execution: 'deterministic',
      scope: 'agent',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', required: ['text'] },
      outputSchema: { type: 'object' },
    });
    expect(write).toMatchObject({ execution: 'orchestration', annotations: { readOnlyHint: false } });
  });

  test('[HT20] every node of every listed schema has a type and stands on its own', async () => {
    const tools = await list(ADMIN);
    expect(tools.length).toBeGreaterThan(0);
    for (const { inputSchema, outputSchema = { type: 'object' } } of tools) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(faults(schema)).toEqual([]);
        expect(schema.type).toBe('object');
        expect(['anyOf', 'oneOf', 'allOf'].filter(key => key in schema)).toEqual([]);
      }
    }
  });

  test('[HT20] so has every node of every op of the product', () => {
    const parts = { pages: {}, tenant: { id: 'acme' }, storage: { lanes: {} } };
    const ops = [...agentOps({} as PagesDeps), ...adminOps(parts as AdminParts)];
    expect(ops.length).toBeGreaterThan(10);
    for (const { name, input, output } of ops) {
      const found = [argumentSchema(input), resultSchema(output)].flatMap(schema => faults(schema, name));
      expect(found).toEqual([]);
    }
  });

  test('[HT20] whatever an op may take comes out typed, and the walk sees what is not', () => {
    expect(faults(argumentSchema(everything))).toEqual([]);
    expect(faults(resultSchema(everything))).toEqual([]);
    const raw = z.toJSONSchema(everything, { io: 'input' });
    expect(faults(raw)).toEqual(
      expect.arrayContaining([
        ': a reference',
        '/open: no type',
        '/choice: no type',
        '/map/additionalProperties: no type',
      ]),
    );
  });

  test('[HT20] arguments are told with one type, null left out; results keep it', () => {
    const told = argumentSchema(everything)['properties'] as Record<string, JsonSchema>;
    expect(told['nullable']).toEqual({ type: 'string' });
    expect(told['choice']).toEqual({ type: 'string', enum: ['a', 'b'] });
    expect(told['count']).toEqual({ type: 'integer' });
    expect(told['when']).toEqual({ type: 'string', format: 'date-time' });
    const result = resultSchema(everything)['properties'] as Record<string, JsonSchema>;
    expect(result['nullable']).toMatchObject({ type: ['string', 'null'] });
    expect([result['choice']?.type].flat()).toContain('null');
  });

  test('[HT21] since 2025-11-25 the protocol has its own execution, so the label moves', async () => {
    const { body, headers } = stateless('tools/list');
    const later = [
      await list(ADMIN, { 'mcp-protocol-version': '2025-11-25' }),
      (await w.post(body, { ...headers, ...as(ADMIN) })).json.result.tools as Tool[],
    ];
    for (const tool of later.flat()) {
      expect(tool['execution']).toBeUndefined();
      expect(tool['_meta']).toEqual({ execution: tool.name === 'write' ? 'orchestration' : 'deterministic' });
    }
    for (const version of ['2025-03-26', '2025-06-18'])
      for (const tool of await list(ADMIN, { 'mcp-protocol-version': version }))
        expect(tool['execution']).toBe(tool.name === 'write' ? 'orchestration' : 'deterministic');
  });

  test('[HT28] an alias is called like the tool and never listed', async () => {
    const before = { ...w.left };
    const { json } = await w.call('put', { ok: false });
    expect([json.result.isError, json.result.structuredContent.issues]).toEqual([true, ['no']]);
    expect(w.left).toEqual({ queries: before.queries, writes: before.writes - 1 });
    expect((await list(ADMIN)).map(tool => tool.name)).not.toContain('put');
  });
});
