import type { z } from 'zod';
import type { Json } from './json.ts';
import type { Principal } from './principal.ts';

export type Surface = 'pages' | 'rules' | 'admin' | 'approval' | 'operator';
export type Scope = 'agent' | 'admin';
export type Quota = 'queries' | 'writes' | 'none';
export type Transport = 'mcp_http' | 'rest' | 'approval' | 'ws' | 'cli';

export type Progress = (done: number, total: number) => void;

/** What one call knows beside its input. */
export interface Ctx {
  readonly principal: Principal;
  readonly requestId: string;
  readonly transport: Transport;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Leaves an additive remark about the call (a clamped limit, an ignored argument); MCP sends them as `_meta`. */
  readonly note: (key: string, value: Json) => void;
  /** Tells how far a long call is, where somebody asked to hear of it. `done` only grows. */
  readonly progress?: Progress | undefined;
}

/** One capability of the product. MCP tools, REST routes, OpenAPI, metrics labels and reference docs are read off it. */
export interface Op<D, I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Accepted at dispatch, resolved before quota and metrics, never listed (E026). */
  readonly aliases?: readonly string[];
  readonly surface: Surface;
  readonly effect: 'read' | 'write';
  /** Published label: a pure function of state and arguments, or a step of a loop (E021-E023). */
  readonly execution: 'deterministic' | 'orchestration';
  readonly scope: Scope;
  /** The bucket one call is debited from (E068-E070). Admin-scope ops take `none`. */
  readonly quota: Quota;
  readonly summary: string;
  readonly input: I;
  /** Older or alternative argument names, mapped before the schema is applied (`skill` for `skill_id`). */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  readonly output: O;
  /** Whether tools/list publishes the output schema (E025). */
  readonly publishesOutput: boolean;
  /** A payload `ok: false` is a report, not a refusal (E015). */
  readonly reportsOnly?: boolean;
  run(deps: D, ctx: Ctx, input: z.output<I>): Promise<z.input<O>>;
}

export const defineOp = <D, I extends z.ZodObject, O extends z.ZodObject>(op: Op<D, I, O>): Op<D, I, O> => op;

/** An op with its dependencies given: all that a transport sees. `run` takes checked input. */
export interface BoundOp extends Omit<Op<never>, 'run'> {
  run(ctx: Ctx, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Gives an op its dependencies. */
export function withDeps<D, I extends z.ZodObject, O extends z.ZodObject>(op: Op<D, I, O>, deps: D): BoundOp {
  return {
    ...op,
    run: (ctx, input) => op.run(deps, ctx, input as z.output<I>) as Promise<Record<string, unknown>>,
  };
}
