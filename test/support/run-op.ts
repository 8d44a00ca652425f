import type { z } from 'zod';
import type { Ctx, Op } from '../../src/kernel/op.ts';
import type { Principal } from '../../src/kernel/principal.ts';

export const ROOT: Principal = { tenant: 'default', subject: 'root', groups: [], admin: true, metered: true };

/** Runs an op as a transport does: arguments through the input schema, the answer through the output schema. */
export async function runOp<D, I extends z.ZodObject, O extends z.ZodObject>(
  op: Op<D, I, O>,
  deps: D,
  args: Record<string, unknown>,
  given: Partial<Ctx> = {},
): Promise<z.output<O>> {
  const ctx: Ctx = {
    principal: ROOT,
    requestId: 'request-1',
    transport: 'mcp_http',
    now: () => new Date(Date.UTC(2026, 2, 1, 12, 0, 0, 7)),
    signal: new AbortController().signal,
    note: () => {},
    ...given,
  };
  return op.output.parse(await op.run(deps, ctx, op.input.parse(args)));
}
