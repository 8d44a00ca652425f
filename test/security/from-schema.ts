import fc from 'fast-check';
import { z } from 'zod';
import { hostileText } from './hostile.ts';

type Node = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any

/** Values of the shape of a schema, with hostile text in place of every string, enums and formats included. */
export const hostileValue = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  arbitrary(z.toJSONSchema(schema, { io: 'output', reused: 'inline', unrepresentable: 'any' }) as Node, false);

/** The same with the server's own words where a schema lists them, so that the branches behind them are reached. */
export const plantedValue = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  arbitrary(z.toJSONSchema(schema, { io: 'output', reused: 'inline', unrepresentable: 'any' }) as Node, true);

/** For a node that says nothing about its values. */
const ANYTHING: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.array(hostileText, { maxLength: 2 }),
  fc.array(fc.dictionary(hostileText, hostileText, { maxKeys: 2 }), { maxLength: 2 }),
  fc.dictionary(hostileText, fc.oneof(hostileText, fc.boolean(), fc.constant(null)), { maxKeys: 2 }),
);

function arbitrary(node: Node, keepWords: boolean): fc.Arbitrary<unknown> {
  const branches = (node['anyOf'] ?? node['oneOf']) as Node[] | undefined;
  const types = node['type'] as unknown;
  if (Array.isArray(types)) return fc.oneof(...types.map(type => arbitrary({ ...node, type }, keepWords)));
  if (branches) return fc.oneof(...branches.map(branch => arbitrary(branch, keepWords)));
  if ('const' in node) return keepWords || typeof node['const'] !== 'string' ? fc.constant(node['const']) : hostileText;
  if (node['enum']) return keepWords ? fc.constantFrom(...(node['enum'] as unknown[])) : hostileText;
  switch (node['type']) {
    case 'object': {
      if (!node['properties'])
        return fc.dictionary(hostileText, arbitrary(node['additionalProperties'] as Node, keepWords), { maxKeys: 2 });
      const entries = Object.entries(node['properties'] as Record<string, Node>);
      return fc.record(Object.fromEntries(entries.map(([key, child]) => [key, arbitrary(child, keepWords)])));
    }
    case 'array':
      return node['items']?.['not']
        ? fc.constant([])
        : fc.array(arbitrary(node['items'] as Node, keepWords), { maxLength: 2 });
    case 'string':
      return hostileText;
    case 'integer':
    case 'number':
      return fc.nat(500);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case undefined:
      return ANYTHING;
    default:
      throw new Error(`no value for ${JSON.stringify(node).slice(0, 200)}`);
  }
}

/** Every property name below a schema. */
export function keysOf(schema: z.ZodType): Set<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys((node as Node)['properties'] ?? {})) found.add(key);
    Object.values(node).forEach(walk);
  };
  walk(z.toJSONSchema(schema, { io: 'output', reused: 'inline', unrepresentable: 'any' }));
  return found;
}
