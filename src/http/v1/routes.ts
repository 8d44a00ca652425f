import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { ApiVerifier, TenantGate } from '../../auth/ports.ts';
import { asFailure, Failure, FAILURES } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { askingIn, requestIdIn } from '../asking.ts';
import { recorded, type RecordCall } from '../call-record.ts';
import { faultOf } from '../fault.ts';
import { identifiedOnApi } from '../identified.ts';
import type { ApiOp, RuleCaller, RulesAccess } from '../ports.ts';
import { hangUpAfter, JSON_TYPE } from '../reply.ts';
import { challengeOf, errorBody, retryAfterOf } from '../rule-errors.ts';
import { suspension } from '../suspension.ts';
import { inputReader, type Ctx } from './input.ts';
import { V1_ROUTES, type V1Route } from './table.ts';

export interface V1Parts {
  readonly rules: RulesAccess;
  readonly verifier: ApiVerifier;
  readonly tenants: TenantGate;
  /** The served tenant. */
  readonly tenant: string;
  readonly publicUrl: string | undefined;
  readonly record: RecordCall;
  readonly log: Log;
}

const PRIVATE = { ...JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
const LATE_BYTES_MS = 2000;

/**
 * The rules surface for programs: who, how often, then what (contract of the rules 5.2, 6). Routes whose op is not there do
 * not exist. To be mounted after whatever else answers below `/v1`.
 */
export function v1Routes(parts: V1Parts): Hono<{ Bindings: HttpBindings }> {
  const { rules, tenant, log } = parts;
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
    return new Response(JSON.stringify(errorBody(failure, requestIdIn(c))), {
      status: FAILURES[failure.code].http,
      headers,
    });
  }

  function turnAway(c: Ctx, thrown: unknown): Response {
    const failure = asFailure(thrown);
    const { http: status, level } = FAILURES[failure.code];
    const fault = failure.code === 'internal' ? faultOf(failure) : {};
    log[level]({ request_id: requestIdIn(c), channel: 'api', code: failure.code, status, ...fault }, 'v1.refused');
    return refuse(c, failure);
  }

  function serve(route: V1Route, op: ApiOp): (c: Ctx) => Promise<Response> {
    const read = inputReader(route, op);
    return async c => {
      const started = performance.now();
      const asking = askingIn(c);
      let caller: RuleCaller;
      try {
        caller = await enter(c);
      } catch (thrown) {
        return turnAway(c, thrown);
      }
      const about = { asking, tenant, tool: op.name, transport: 'rest', subject: caller.grantId, started } as const;
      try {
        const { status, output } = await recorded(parts.record, about, async () =>
          caller.call(op.name, await read(c), asking.signal()),
        );
        return new Response(JSON.stringify(output), { status, headers: PRIVATE });
      } catch (thrown) {
        return refuse(c, asFailure(thrown));
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
