import type { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { ApprovalVerifier } from '../../auth/ports.ts';
import { asFailure, Failure } from '../../kernel/failure.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Answers, Ctx } from './answer.ts';
import { errorText } from './pages/error-page.ts';
import { browserLoginPage, onwardPage, tokenLoginPage, type LoginPage } from './pages/login-page.ts';
import type { SignIn } from './ports.ts';
import { isSameOrigin } from './same-origin.ts';
import { formOf, readSent, type Sent } from './sent.ts';
import { bringsCredential, clientAddress, personOf } from './visitors.ts';

export interface LoginParts {
  readonly verifier: ApprovalVerifier;
  readonly answers: Answers;
  readonly signIn: SignIn;
  readonly limit: RateLimit;
  readonly trustedProxy: boolean;
  /** Origin of the public URL. */
  readonly home: string;
}

const HOME = '/approval';
const LOGIN = '/approval/login';
const SIGNED_OUT = `${LOGIN}?out=1`;
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** Where a sign-in may lead: nowhere but to the pages that people start from. */
const START = /^\/approval(\/(?:recheck|rejected|search|rules\/[a-z][a-z0-9-]{1,39}-\d{4,15}))?$/;

/** `next` as it came, or the inbox. */
export const nextOf = (given: unknown): string => (typeof given === 'string' && START.test(given) ? given : HOME);

/** The page to sign in on, from where one gets to `next`. */
export const loginPath = (next: string): string => `${LOGIN}?next=${encodeURIComponent(next)}`;

/**
 * The origin to be put before a path where the request used another name of this machine than the public URL does: a session
 * cookie belongs to one of them, and forms must come from that one. Empty elsewhere.
 */
export function properOrigin(c: Ctx, home: string): string {
  const asked = new URL(c.req.url);
  const { hostname, port, host } = new URL(home);
  const isAlias = asked.host !== host && asked.port === port && LOOPBACK.test(asked.hostname);
  return isAlias && LOOPBACK.test(hostname) ? home : '';
}

/** Signing in and out, in the modes in which this server does that itself (contract 5.3, rules-gaps 11). */
export function loginRoutes(app: Hono<{ Bindings: HttpBindings }>, parts: LoginParts): void {
  const { signIn } = parts;
  if (signIn.kind === 'elsewhere') return;
  app.post('/approval/logout', c => logout(c, parts, signIn));
  if (signIn.kind === 'token') {
    app.get(LOGIN, c => tokenForm(c, parts));
    app.post(LOGIN, c => tokenLogin(c, parts, signIn));
    return;
  }
  app.get(LOGIN, c => toIssuer(c, parts, signIn));
  app.get(`${LOGIN}/callback`, c => fromIssuer(c, parts, signIn));
}

function noticeOf(c: Ctx, { answers }: LoginParts): LoginPage['notice'] {
  return c.req.query('out') === undefined ? undefined : { kind: 'info', text: answers.frame(c).words.signedOut };
}

async function tokenForm(c: Ctx, parts: LoginParts): Promise<Response> {
  const { answers, home } = parts;
  const origin = properOrigin(c, home);
  const next = nextOf(c.req.query('next'));
  if (origin !== '') return answers.seeOther(`${origin}${loginPath(next)}`);
  return answers.page(c, tokenLoginPage(answers.frame(c), { next, notice: noticeOf(c, parts) }));
}

async function tokenLogin(
  c: Ctx,
  parts: LoginParts,
  { sessions, identityOf }: Extract<SignIn, { kind: 'token' }>,
): Promise<Response> {
  const { answers, home, limit, verifier } = parts;
  const kind = formOf(c);
  const as = kind === 'json' ? 'json' : 'page';
  let next = HOME;
  try {
    if (bringsCredential(c)) throw new Failure('unauthorized', 'two credentials on one request');
    if (isForeign(c.req.raw.headers, home)) throw new Failure('csrf-failed', 'not from a page of this server');
    const wait = limit.take(clientAddress(c, parts.trustedProxy));
    if (wait > 0) throw new Failure('rate-limited', 'too many attempts to sign in', { retry_after_ms: wait });
    const sent = await readSent(c, kind);
    next = nextOf(fieldOf(sent, 'next'));
    const identity = identityOf(fieldOf(sent, 'token') ?? '');
    if (identity === undefined) throw new Failure('unauthorized', 'not the token of the approval pages');
    const cookie = sessions.issueSession(identity);
    if (as === 'page') return answers.seeOther(next, cookie);
    const person = await verifier.person({
      cookie: cookie.split(';')[0],
      authorization: undefined,
      accessJwt: undefined,
    });
    return answers.json(person, 200, { 'set-cookie': cookie });
  } catch (thrown) {
    const failure = asFailure(thrown);
    const frame = answers.frame(c);
    const text = failure.code === 'unauthorized' ? frame.words.loginFailed : errorText(frame.words, failure.code);
    const notice = { kind: 'error', text, code: failure.code } as const;
    return answers.refuse(c, failure, { as, page: tokenLoginPage(frame, { next, notice }) });
  }
}

const fieldOf = (sent: Sent, name: string): string | undefined => {
  const value = sent.kind === 'form' ? sent.fields.get(name) : sent.value[name];
  return typeof value === 'string' ? value : undefined;
};

/** Whether a browser says that another site's page sent this. Programs say nothing. */
function isForeign(headers: Headers, home: string): boolean {
  const told = headers.get('origin') ?? headers.get('sec-fetch-site');
  return told !== null && !isSameOrigin(headers, home);
}

async function toIssuer(c: Ctx, parts: LoginParts, signIn: Extract<SignIn, { kind: 'browser' }>): Promise<Response> {
  const { answers } = parts;
  const next = nextOf(c.req.query('next'));
  const notice = noticeOf(c, parts);
  // Without a pause here, signing out would sign in again.
  if (notice) return answers.page(c, browserLoginPage(answers.frame(c), { next, notice }));
  try {
    const { location, setCookie } = await signIn.begin(next);
    return answers.seeOther(location, setCookie);
  } catch (thrown) {
    return answers.refuse(c, asFailure(thrown), { as: 'page', signIn: loginPath(next) });
  }
}

async function fromIssuer(
  c: Ctx,
  { answers }: LoginParts,
  { finish, sessions }: Extract<SignIn, { kind: 'browser' }>,
): Promise<Response> {
  try {
    const { pathname, search } = new URL(c.req.url);
    const { identity, returnTo, setCookie } = await finish(`${pathname}${search}`, c.req.header('cookie'));
    const answer = await answers.page(c, onwardPage(answers.frame(c), returnTo));
    for (const cookie of [setCookie, sessions.issueSession(identity)]) answer.headers.append('set-cookie', cookie);
    return answer;
  } catch (thrown) {
    return answers.refuse(c, asFailure(thrown), { as: 'page', signIn: LOGIN });
  }
}

async function logout(
  c: Ctx,
  parts: LoginParts,
  { sessions }: Exclude<SignIn, { kind: 'elsewhere' }>,
): Promise<Response> {
  const { answers, verifier, home } = parts;
  const kind = formOf(c);
  const as = kind === 'json' ? 'json' : 'page';
  let person;
  try {
    person = await personOf(c, verifier);
    if (!person) {
      if (as === 'json' || bringsCredential(c)) throw new Failure('unauthorized', 'nobody is signed in');
      return answers.seeOther(SIGNED_OUT, sessions.clearSession());
    }
    const given = c.req.header('csrf') ?? fieldOf(await readSent(c, kind), 'csrf');
    if (!isSameOrigin(c.req.raw.headers, home) || !verifier.csrfHolds(person, given)) {
      throw new Failure('csrf-failed', 'not from a page of this server, or without its token');
    }
    return as === 'json'
      ? answers.json({}, 200, { 'set-cookie': sessions.clearSession() })
      : answers.seeOther(SIGNED_OUT, sessions.clearSession());
  } catch (thrown) {
    return answers.refuse(c, asFailure(thrown), { as, person });
  }
}
