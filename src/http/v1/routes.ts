import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { ApiVerifier, TenantGate } from '../../auth/ports.ts';
import { asFailure, Failure, FAILURES } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { faultOf } from '../fault.ts';
import { identifiedOnApi } from '../identified.ts';
import type { Metrics } from '../metrics.ts';
import type { ApiOp, RuleCaller, RulesAccess } from '../ports.ts';
import { hangUpAfter, JSON_TYPE } from '../reply.ts';
import { REQUEST_ID } from '../request-id.ts';
import { challengeOf, errorBody, retryAfterOf } from '../rule-errors.ts';
import { suspension } from '../suspension.ts';
import { inputReader, type Ctx } from './input.ts';
import { V1_ROUTES, type V1Route } from './table.ts';

export interface V1Parts {
  readonly rules: RulesAccess;
  readonly verifier: ApiVerifier;
  readonly tenants: TenantGate;
  /** The served tenant, for metrics and log. */
  readonly tenant: string;
  readonly publicUrl: string | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
}

const PRIVATE = { ...JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
const LATE_BYTES_MS = 2000;

/**
 * The rules surface for programs: who, how often, then what (contract of the rules 5.2, 6). Routes whose op is not there do
 * not exist. To be mounted after whatever else answers below `/v1`.
 */
export function v1Routes(parts: V1Parts): Hono<{ Bindings: HttpBindings }> {
  const { rules, metrics, tenant } = parts;
  const log = parts.log.child({}, { redact: [] });
  const app = new Hono<{ Bindings: HttpBindings }>();

  async function enter(c: Ctx): Promise<RuleCaller> {
    const identity = await identifiedOnApi(requestOf(c), parts.verifier);
    const suspended = suspension(parts.tenants);
    if (suspended) throw suspended;
    return rules.enter(identity);
  }

  function refuse(c: Ctx, failure: Failure): Response {
    const { incoming, outgoing } = c.env;
    if (!incoming.complete) hangUpAfter(outgoing as Parameters<typeof hangUpAfter>[0], LATE_BYTES_MS);
    const challenge = failure.code === 'unauthorized' ? { 'www-authenticate': challengeOf(parts.publicUrl) } : {};
    const headers = { ...PRIVATE, ...challenge, ...retryAfterOf(failure) };
    return new Response(JSON.stringify(errorBody(failure, idOf(c))), { status: FAILURES[failure.code].http, headers });
  }

  /** One line for each request of somebody known: who, what, how long, and no word of what was sent or found. */
  function record(c: Ctx, op: string, grant: string, ms: number, failure: Failure | undefined): void {
    const status = failure === undefined ? 'ok' : failure.code === 'internal' ? 'error' : 'rejected';
    metrics.toolCall(tenant, op, 'rest', status, ms);
    const problem = failure && { code: failure.code, ...(failure.code === 'internal' ? faultOf(failure) : {}) };
    const level = failure ? FAILURES[failure.code].level : 'info';
    const about = { tenant, tool: op, transport: 'rest', grant, status, duration_ms: Math.round(ms * 1000) / 1000 };
    log[level]({ ...about, request_id: idOf(c), trace_id: idOf(c), ...problem }, 'tool.completed');
  }

  function turnAway(c: Ctx, thrown: unknown): Response {
    const failure = asFailure(thrown);
    const { http: status, level } = FAILURES[failure.code];
    const fault = failure.code === 'internal' ? faultOf(failure) : {};
    log[level]({ request_id: idOf(c), channel: 'api', code: failure.code, status, ...fault }, 'v1.refused');
    return refuse(c, failure);
  }

  function serve(route: V1Route, op: ApiOp): (c: Ctx) => Promise<Response> {
    const read = inputReader(route, op);
    return async c => {
      const started = performance.now();
      let caller: RuleCaller;
      try {
        caller = await enter(c);
      } catch (thrown) {
        return turnAway(c, thrown);
      }
      const done = (failure?: Failure): void =>
        record(c, op.name, caller.grantId, performance.now() - started, failure);
      try {
        const { status, output } = await caller.call(op.name, await read(c));
        done();
        return new Response(JSON.stringify(output), { status, headers: PRIVATE });
      } catch (thrown) {
        const failure = asFailure(thrown);
        done(failure);
        return refuse(c, failure);
      }
    };
  }

  for (const route of V1_ROUTES) {
    const op = rules.api.find(one => one.name === route.op);
    if (op) app.on(route.method.toUpperCase(), route.path, serve(route, op));
  }
  // Who asks comes first here as well: nobody learns which routes there are.
  const nothing = async (c: Ctx): Promise<Response> => {
    try {
      await enter(c);
    } catch (thrown) {
      return turnAway(c, thrown);
    }
    return turnAway(c, new Failure('not-found', 'no such route'));
  };
  app.all('/v1', nothing);
  app.all('/v1/*', nothing);
  return app;
}

const requestOf = ({ env: { incoming } }: Ctx) => incoming as Parameters<typeof identifiedOnApi>[0];

/** The front door has given the request its id already. */
const idOf = (c: Ctx): string => String(c.env.outgoing.getHeader(REQUEST_ID) ?? '');
