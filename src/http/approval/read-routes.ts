import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { asFailure, Failure } from '../../kernel/failure.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Answers, Ctx } from './answer.ts';
import type { Approver, Download } from './ports.ts';
import { queryOf } from './query.ts';
import { approverIn, visitorOf, type Visitor, type VisitorParts } from './visitors.ts';

export interface ReadParts extends VisitorParts {
  readonly answers: Answers;
  /** Of every read here, a grant. */
  readonly requests: RateLimit;
  /** Of exports, whose budget is their own. */
  readonly exports: RateLimit;
}

/** What the approval channel answers in JSON and as files, for people alone (rules-gaps 2). */
export function readRoutes(app: Hono<{ Bindings: HttpBindings }>, parts: ReadParts): void {
  const { answers, requests, exports } = parts;

  const json =
    (limit: RateLimit, made: (c: Ctx, approver: Approver) => Promise<Response>) =>
    async (c: Ctx): Promise<Response> => {
      let visitor: Visitor | undefined;
      try {
        visitor = await visitorOf(c, parts);
        const approver = approverIn(visitor);
        takeOne(limit, approver);
        return await made(c, approver);
      } catch (thrown) {
        const asked = { as: 'json', person: visitor?.person, grantId: visitor?.approver?.grantId } as const;
        return answers.refuse(c, asFailure(thrown), asked);
      }
    };

  app.get(
    '/v1/rejected',
    json(requests, async (c, approver) =>
      answers.json(await approver.rejected(queryOf(c, ['scope', 'q', 'limit', 'after']))),
    ),
  );
  app.get(
    '/v1/export/:scope',
    json(exports, async (c, approver) => {
      queryOf(c, []);
      return answers.download(await approver.exported(c.req.param('scope')!));
    }),
  );
}

/** The same export for a page: `exports` counts it like the other. */
export async function exportedFor(c: Ctx, approver: Approver, exports: RateLimit): Promise<Download> {
  takeOne(exports, approver);
  return approver.exported(c.req.param('scope')!);
}

function takeOne(limit: RateLimit, { grantId }: Approver): void {
  const wait = limit.take(grantId);
  if (wait > 0) throw new Failure('rate-limited', 'too many requests', { retry_after_ms: wait });
}
