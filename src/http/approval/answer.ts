import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ApprovalPerson } from '../../auth/ports.ts';
import { FAILURES, type Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { requestIdIn } from '../asking.ts';
import { faultOf } from '../fault.ts';
import { hangUpAfter, JSON_TYPE } from '../reply.ts';
import { challengeOf, errorBody, retryAfterOf } from '../rule-errors.ts';
import { languageOf, wordsOf } from './language.ts';
import { errorPage } from './pages/error-page.ts';
import type { Html } from './pages/foreign.ts';
import type { Frame } from './pages/layout.ts';
import type { Download } from './ports.ts';
import { timesIn } from './times.ts';

export type Ctx = Context<{ Bindings: HttpBindings }>;

export interface AnswerParts {
  /** Without trailing slash. */
  readonly publicUrl: string;
  readonly instance: string;
  readonly zone: string;
  readonly canSignOut: boolean;
  readonly log: Log;
  readonly now: () => Date;
}

/** Who a refusal is for, and in which form. */
export interface Asked {
  readonly as: 'page' | 'json';
  readonly person?: ApprovalPerson | undefined;
  readonly grantId?: string | undefined;
  /** The rule that the request is about. */
  readonly ruleId?: string | undefined;
  /** Where one may sign in instead. */
  readonly signIn?: string | undefined;
  /** Shown in place of the plain page of a refusal. */
  readonly page?: Html | undefined;
}

export interface Answers {
  frame(c: Ctx, person?: ApprovalPerson): Frame;
  page(c: Ctx, page: Html, status?: number, headers?: Readonly<Record<string, string>>): Promise<Response>;
  json(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): Response;
  download(file: Download): Response;
  /** 303 to a path of ours or an address of the issuer. */
  seeOther(location: string, setCookie?: string): Response;
  /** A refusal under its status and code, and its line in the log. */
  refuse(c: Ctx, failure: Failure, asked: Asked): Promise<Response>;
}

const EVERY = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;
const PAGE = {
  ...EVERY,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Not no-referrer: with it browsers send forms under the Origin `null`.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Language, Cookie',
} as const;

/** The ways in which the approval side answers. */
export function createAnswers(parts: AnswerParts): Answers {
  const { publicUrl, instance, zone, canSignOut, log, now } = parts;

  const frame: Answers['frame'] = (c, person) => {
    const language = languageOf(c.req.header('accept-language') ?? null);
    return {
      language,
      words: wordsOf(language),
      times: timesIn(zone, language, now()),
      instance,
      person: person && { ...person, canSignOut },
    };
  };
  const page: Answers['page'] = async (_, content, status = 200, headers = {}) =>
    new Response(String(await content), { status, headers: { ...PAGE, ...headers } });
  const json: Answers['json'] = (body, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { ...EVERY, ...JSON_TYPE, ...headers },
    });

  return {
    frame,
    page,
    json,
    download: ({ name, bytes }) =>
      new Response(new Uint8Array(bytes), {
        headers: {
          ...EVERY,
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="${name}"`,
        },
      }),
    seeOther: (location, setCookie) =>
      new Response(null, {
        status: 303,
        headers: { ...EVERY, location, ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }) },
      }),
    async refuse(c, failure, { as, person, grantId, ruleId, signIn, page: instead }) {
      const { http: status, level } = FAILURES[failure.code];
      const fault = failure.code === 'internal' ? faultOf(failure) : {};
      // What was called off because its reader has gone is no fault.
      const gone = c.env.outgoing.destroyed;
      log[gone ? 'debug' : level](
        { request_id: requestIdIn(c), channel: 'approval', code: failure.code, status, grant: grantId, ...fault },
        'approval.refused',
      );
      throwAwayRest(c);
      const headers = retryAfterOf(failure);
      if (as === 'json') {
        const challenge = failure.code === 'unauthorized' ? { 'www-authenticate': challengeOf(publicUrl) } : {};
        return json(errorBody(failure, requestIdIn(c)), status, { ...headers, ...challenge });
      }
      if (instead) return page(c, instead, status, headers);
      const made = frame(c, person);
      return page(c, errorPage(made, { failure, ruleId, requestId: requestIdIn(c), signIn }), status, headers);
    },
  };
}

const LATE_BYTES_MS = 500;

/** A body that nobody reads must not keep its sender from reading the answer. */
function throwAwayRest({ env: { incoming, outgoing } }: Ctx): void {
  // The bindings name HTTP/2 as well, which this server does not speak.
  if (!incoming.complete) hangUpAfter(outgoing as Parameters<typeof hangUpAfter>[0], LATE_BYTES_MS);
}
