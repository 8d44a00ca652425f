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
  return (admin, revision) => (revision === TAKEN_BY ? moved : plain)[admin ? 'admin' : 'agent'];
}

/** The one revision that gives the key `execution` a meaning of its own, an object; its clients refuse a list with ours. */
const TAKEN_BY = '2025-11-25';

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
