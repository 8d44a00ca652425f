import type { z } from 'zod';
import type { Grant, Right } from './grants/schema.ts';
import type { LogOperation, LogRow } from './ports.ts';

/** Where a call came in. Each channel has most rights of its own (rules-gaps 1). */
export type Channel = 'mcp' | 'api' | 'approval';

/** The verified caller. */
export type CallerGrant = Pick<Grant, 'id' | 'kind' | 'identity' | 'scopes' | 'rights'>;

/** What one call of a rules op knows beside its input. */
export interface RuleCtx {
  readonly grant: CallerGrant;
  readonly channel: Channel;
  /** UUID of this call: the id of its rows in every scope's log. */
  readonly callId: string;
  readonly now: () => Date;
  /** Fires when whoever asked waits no longer. */
  readonly signal?: AbortSignal | undefined;
  /** The log row of a write, for the transaction of the write itself. */
  readonly logRow: (status: number, refs: readonly string[]) => LogRow;
}

/** What one scope's log says about a call. */
export type ScopeLog = { readonly scope: string } & Pick<LogRow, 'refs' | 'search'>;

export interface Done<O> {
  /** As HTTP counts. */
  readonly status: 200 | 201;
  readonly output: O;
  /** What is still to be logged; a write has logged itself in its transaction. */
  readonly log: readonly ScopeLog[];
}

/** Scopes a call works in, and those it merely names, e.g. by a rule id. All must be granted. */
export interface Touched {
  readonly scopes: readonly string[];
  readonly named?: readonly string[];
  /** More than one scope was asked for on purpose. */
  readonly across?: boolean;
}

/** One capability of the rules surface, defined once; MCP tools, routes and pages are read off it. */
export interface RuleOp<D, I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly surface: 'rules' | 'approval';
  readonly effect: 'read' | 'write';
  /** null: any grant. */
  readonly right: Right | null;
  /** How the scope's log calls it; null: process log only. */
  readonly logs: LogOperation | null;
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** Refusals that come before the schema is applied. */
  before?(raw: unknown): void;
  /** `granted`: every scope of the grant that is not locked. */
  touches(input: z.output<I>): Touched | 'granted';
  run(deps: D, ctx: RuleCtx, input: z.output<I>): Promise<Done<z.input<O>>>;
}

export const defineRuleOp = <D, I extends z.ZodType, O extends z.ZodType>(op: RuleOp<D, I, O>): RuleOp<D, I, O> => op;

/** An op with its dependencies given. */
export interface BoundRuleOp extends Omit<RuleOp<never>, 'run' | 'touches'> {
  touches(input: unknown): Touched | 'granted';
  run(ctx: RuleCtx, input: unknown): Promise<Done<unknown>>;
}

/** Gives an op its dependencies. */
export function withRuleDeps<D, I extends z.ZodType, O extends z.ZodType>(op: RuleOp<D, I, O>, deps: D): BoundRuleOp {
  return {
    ...op,
    touches: input => op.touches(input as z.output<I>),
    run: (ctx, input) => op.run(deps, ctx, input as z.output<I>),
  };
}
