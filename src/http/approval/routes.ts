import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { ApprovalPerson, ApprovalVerifier, TenantGate } from '../../auth/ports.ts';
import { asFailure, Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { createRateLimit, type RateLimit } from '../rate-limit.ts';
import { createAnswers, type Ctx } from './answer.ts';
import { attempts } from './attempts.ts';
import { decisionRoute } from './decision-route.ts';
import { loginPath, loginRoutes, nextOf, properOrigin } from './login-routes.ts';
import { onwardPage } from './pages/login-page.ts';
import { PAGES, type MakePage } from './pages-of.ts';
import type { Approver, ApproverOf, SignIn } from './ports.ts';
import { exportedFor, readRoutes } from './read-routes.ts';
import { STYLE, STYLE_PATH } from './style.ts';
import { approverIn, bringsCredential, visitorOf } from './visitors.ts';

export interface ApprovalSettings {
  /** Without trailing slash; its origin is the one that forms must come from. */
  readonly publicUrl: string;
  readonly instance: string;
  /** IANA name; times are shown in it. */
  readonly zone: string;
  readonly limits: {
    readonly decisionsPerMinute: number;
    readonly exportsPerHour: number;
    readonly loginAttemptsPerMinute: number;
    readonly trustedProxy: boolean;
  };
}

export interface ApprovalParts {
  readonly approverOf: ApproverOf;
  readonly verifier: ApprovalVerifier;
  /** Read at each request of somebody signed in. */
  readonly tenants: TenantGate;
  readonly signIn: SignIn;
  /** Of a grant, over every channel together. */
  readonly requests: RateLimit;
  readonly settings: ApprovalSettings;
  readonly log: Log;
  readonly now: () => Date;
}

const HOUR_MS = 3_600_000;

/**
 * The approval channel: `/approval` with all below it, and its routes below `/v1`: decision, rejected, export. People alone get anywhere
 * here; what they may see and decide is up to the ops.
 */
export function approvalRoutes(parts: ApprovalParts): Hono<{ Bindings: HttpBindings }> {
  const { verifier, approverOf, tenants, signIn, settings, log, now } = parts;
  const { publicUrl, instance, zone, limits } = settings;
  const home = new URL(publicUrl).origin;
  const answers = createAnswers({ publicUrl, instance, zone, canSignOut: signIn.kind !== 'elsewhere', log, now });
  const visiting = { verifier, approverOf, tenants };
  const app = new Hono<{ Bindings: HttpBindings }>();

  const exports = createRateLimit(now, limits.exportsPerHour, HOUR_MS);

  /** Somebody with a grant, or how anybody else is answered: shown the way in, or refused. */
  async function entering(c: Ctx): Promise<{ person: ApprovalPerson; approver: Approver } | Response> {
    let person;
    try {
      const visitor = await visitorOf(c, visiting);
      if (!visitor && !bringsCredential(c) && signIn.kind !== 'elsewhere') return await wayIn(c);
      person = visitor?.person;
      return { approver: approverIn(visitor), person: visitor!.person };
    } catch (thrown) {
      return answers.refuse(c, asFailure(thrown), { as: 'page', person });
    }
  }

  const guarded =
    (make: MakePage) =>
    async (c: Ctx): Promise<Response> => {
      const visited = await entering(c);
      if (visited instanceof Response) return visited;
      const { person, approver } = visited;
      try {
        return await answers.page(c, await make(c, answers.frame(c, person), approver));
      } catch (thrown) {
        return answers.refuse(c, asFailure(thrown), { as: 'page', person });
      }
    };

  async function wayIn(c: Ctx): Promise<Response> {
    const path = nextOf(c.req.path);
    // Coming from another site, the browser may have kept a session cookie back.
    if (c.req.header('sec-fetch-site') === 'cross-site') return answers.page(c, onwardPage(answers.frame(c), path));
    return answers.seeOther(`${properOrigin(c, home)}${loginPath(path)}`);
  }

  app.get('/approval/style.css', c => {
    const named = STYLE_PATH.endsWith(`?v=${c.req.query('v')}`);
    return new Response(STYLE, {
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': named ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    });
  });
  for (const [path, make] of PAGES) app.get(path, guarded(make));
  app.get('/approval/export/:scope', async c => {
    const visited = await entering(c);
    if (visited instanceof Response) return visited;
    try {
      return answers.download(await exportedFor(c, visited.approver, exports));
    } catch (thrown) {
      return answers.refuse(c, asFailure(thrown), { as: 'page', person: visited.person });
    }
  });
  readRoutes(app, { ...visiting, answers, exports, requests: parts.requests });
  app.post(
    '/v1/rules/:id/decision',
    decisionRoute({ ...visiting, answers, home, zone, limit: createRateLimit(now, limits.decisionsPerMinute) }),
  );
  loginRoutes(app, {
    verifier,
    answers,
    signIn,
    home,
    limit: attempts(limits.loginAttemptsPerMinute, now),
    trustedProxy: limits.trustedProxy,
  });
  app.get('/approval/', () => answers.seeOther('/approval'));
  app.all('/approval/*', c => answers.refuse(c, new Failure('not-found', 'no such page'), { as: 'page' }));
  return app;
}
