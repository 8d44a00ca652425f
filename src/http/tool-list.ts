import type { BoundOp } from '../kernel/op.ts';
import type { Registry } from '../kernel/registry.ts';
import { argumentSchema, resultSchema } from './wire-schema.ts';

/** The tools of one endpoint as bytes ready to send: a JSON array, by role and by how the label `execution` travels. */
export type ToolList = (admin: boolean, revision: string | undefined) => Buffer;

/** Agents see the tools of scope `agent`, admins all of them (E018-E020). Schemas are built once, at start. */
export function toolList(ops: Registry): ToolList {
  const entries = ops.ops.map(op => ({ op, entry: toolEntry(op) }));
  const bytes = (admin: boolean, form: (entry: ToolEntry) => object): Buffer =>
    Buffer.from(
      JSON.stringify(entries.filter(({ op }) => admin || op.scope === 'agent').map(({ entry }) => form(entry))),
    );
  const plain = { agent: bytes(false, entry => entry), admin: bytes(true, entry => entry) };
  const moved = { agent: bytes(false, labelInMeta), admin: bytes(true, labelInMeta) };
  return (admin, revision) => (TAKEN.has(revision) ? moved : plain)[admin ? 'admin' : 'agent'];
}

/**
 * Since 2025-11-25 the key `execution` has a meaning of its own, an object. Clients that know it refuse a whole list over a
 * string there, and some of them read every later revision with the same model.
 */
const TAKEN: ReadonlySet<string | undefined> = new Set(['2025-11-25', '2026-07-28']);

interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly execution: BoundOp['execution'];
  readonly scope: BoundOp['scope'];
  readonly annotations: { readonly readOnlyHint: boolean };
}

const toolEntry = (op: BoundOp): ToolEntry => ({
  name: op.name,
  description: op.summary,
  inputSchema: argumentSchema(op.input),
  ...(op.publishesOutput ? { outputSchema: resultSchema(op.output) } : {}),
  execution: op.execution,
  scope: op.scope,
  annotations: { readOnlyHint: op.effect === 'read' },
});

const labelInMeta = ({ execution, ...entry }: ToolEntry): object => ({ ...entry, _meta: { execution } });
