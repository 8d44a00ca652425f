import type { BoundOp } from '../kernel/op.ts';
import type { Registry } from '../kernel/registry.ts';
import { octetsOf, type Octets } from './octets.ts';
import { argumentSchema, resultSchema } from './wire-schema.ts';

/** What decides which tools a caller sees. */
export interface ToolViewer {
  readonly admin: boolean;
  /** A person with a grant for rules. */
  readonly rules: boolean;
}

/** The tools of one endpoint ready to send: a JSON array, by caller and by how the label `execution` travels. */
export type ToolList = (viewer: ToolViewer, revision: string | undefined) => Octets;

/**
 * Agents see the tools of scope `agent`, admins all of them (E018-E020), and those of the rules surface only who may use them
 * (rules-gaps 2). Schemas are built once, at start.
 */
export function toolList(ops: Registry): ToolList {
  const entries = ops.ops.map(op => ({ op, entry: toolEntry(op) }));
  const lists = new Map<string, Octets>();
  return ({ admin, rules }, revision) => {
    const moves = TAKEN.has(revision);
    const key = `${admin} ${rules} ${moves}`;
    const known = lists.get(key);
    if (known) return known;
    const seen = entries.filter(({ op }) => (admin || op.scope === 'agent') && (rules || op.surface !== 'rules'));
    const made = octetsOf(JSON.stringify(seen.map(({ entry }) => (moves ? labelInMeta(entry) : entry))));
    lists.set(key, made);
    return made;
  };
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
