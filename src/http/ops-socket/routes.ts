import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context as AnyContext } from 'hono';
import { asFailure, Failure, FAILURES } from '../../kernel/failure.ts';
import { sameSecret } from '../../kernel/hash.ts';
import { isObject } from '../../kernel/json.ts';
import type { Log } from '../../kernel/log.ts';
import type { BoundOp, Ctx } from '../../kernel/op.ts';
import type { Principal } from '../../kernel/principal.ts';
import { jsonOf, readBody } from '../body.ts';
import { faultOf } from '../fault.ts';
import { REQUEST_ID, requestIdOf } from '../request-id.ts';

export interface OpsRouteParts {
  readonly token: string;
  /** Every op of the surface `operator` that the server carries; routes whose op is not there do not exist. */
  readonly ops: readonly BoundOp[];
  readonly tenant: string;
  readonly log: Log;
  readonly now: () => Date;
  readonly nextId: () => string;
}

type Context = AnyContext<{ Bindings: HttpBindings }>;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly op: string;
  /** 201 for an answer that says so. */
  readonly made?: (output: Readonly<Record<string, unknown>>) => boolean;
}

/** The routes of the operator (contract 11, rules-gaps 10). Parts of a path become arguments of the op. */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/ops/status', op: 'operator_status' },
  { method: 'GET', path: '/ops/grants', op: 'list_grants' },
  { method: 'POST', path: '/ops/grants', op: 'add_grant', made: () => true },
  { method: 'POST', path: '/ops/grants/:id/rename', op: 'rename_grant' },
  { method: 'POST', path: '/ops/grants/:id/disable', op: 'disable_grant' },
  { method: 'POST', path: '/ops/scopes', op: 'create_scope', made: ({ created }) => created === true },
];

const BODY_BYTES = 256 * 1024;

/** What the operator's socket serves. The token is asked for before anything else is looked at. */
export function opsRoutes(parts: OpsRouteParts): Hono<{ Bindings: HttpBindings }> {
  const { token, ops, log } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    const id = requestIdOf(c.req.header(REQUEST_ID), parts.nextId);
    c.header(REQUEST_ID, id);
    // Two headers arrive as one text with a comma, which is no token.
    const given = /^[Bb]earer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!sameSecret(given, token))
      return refuse(c, new Failure('unauthorized', 'not the token of the operator'), id, log);
    return next();
  });
  for (const route of ROUTES) {
    const op = ops.find(({ name }) => name === route.op);
    if (op) app.on(route.method, route.path, c => serve(c, op, route, parts));
  }
  app.notFound(c => refuse(c, new Failure('not-found', 'no such route'), idOf(c), log));
  app.onError((error, c) => refuse(c, asFailure(error), idOf(c), log));
  return app;
}

async function serve(c: Context, op: BoundOp, route: Route, parts: OpsRouteParts): Promise<Response> {
  const requestId = idOf(c);
  const input = checked(op, await argumentsOf(c));
  const output = op.output.parse(await op.run(context(c, requestId, parts), input)) as Record<string, unknown>;
  const status = route.made?.(output) === true ? 201 : 200;
  parts.log.info({ request_id: requestId, op: op.name, status }, 'ops.completed');
  return c.json(output, status);
}

async function argumentsOf(c: Context): Promise<Record<string, unknown>> {
  const path = c.req.param() as Record<string, string>;
  const body = c.req.method === 'GET' ? {} : await bodyOf(c);
  const twice = Object.keys(path).find(name => Object.hasOwn(body, name));
  if (twice !== undefined) throw new Failure('validation-failed', `${twice}: stands in the path already`);
  return { ...body, ...path };
}

/** No body is an empty object: some calls say all in their path. */
async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const bytes = await readBody(c.env.incoming, BODY_BYTES);
  if (bytes === 'too-large') {
    c.header('connection', 'close');
    throw new Failure('payload-too-large', `the body is over ${BODY_BYTES} bytes`);
  }
  if (bytes.length === 0) return {};
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new Failure('unsupported-media-type', 'Content-Type: expected application/json');
  const body = jsonOf(bytes);
  if (!body) throw new Failure('bad-json', 'the body is no JSON in UTF-8');
  if (!isObject(body.value)) throw new Failure('validation-failed', 'expected an object');
  return body.value;
}

function checked(op: BoundOp, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = op.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const place = issues[0]!.path.join('.');
  throw new Failure('validation-failed', `${place === '' ? '' : `${place}: `}${issues[0]!.message}`, {
    issues: issues.map(({ path, message }) => ({ path: path.map(String), message })),
  });
}

function context(c: Context, requestId: string, { tenant, now }: OpsRouteParts): Ctx {
  const principal: Principal = { tenant, subject: 'operator', groups: [], admin: true, metered: false };
  return { principal, requestId, transport: 'rest', now, signal: c.req.raw.signal, note: () => undefined };
}

/** `{error, message?, issues?, remedy?}`; of a fault of ours nothing but the request id (rules-gaps 3). */
function refuse(c: Context, failure: Failure, requestId: string, log: Log): Response {
  const { http, level } = FAILURES[failure.code];
  const fault = failure.code === 'internal' ? faultOf(failure) : {};
  log[level]({ request_id: requestId, code: failure.code, status: http, ...fault }, 'ops.refused');
  const { issues, remedy } = failure.data;
  const body =
    failure.code === 'internal'
      ? { error: failure.code, request_id: requestId }
      : { error: failure.code, message: failure.message, issues, remedy };
  return c.json(body, http);
}

const idOf = (c: Context): string => c.res.headers.get(REQUEST_ID) ?? '';
