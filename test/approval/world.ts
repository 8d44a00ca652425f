import { getRequestListener } from '@hono/node-server';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { approvalApp } from '../../src/app/approval.ts';
import { approvalSessions } from '../../src/auth/index.ts';
import type { ApprovalVerifier } from '../../src/auth/ports.ts';
import type { ApprovalSettings, SignIn } from '../../src/http/approval/index.ts';
import { callRecorder, createMetrics, createRateLimit } from '../../src/http/index.ts';
import type { GrantStore } from '../../src/rules/grants/ports.ts';
import { sameSecret, sha256 } from '../../src/kernel/hash.ts';
import { calendarIn } from '../../src/rules/index.ts';
import type { Right } from '../../src/rules/grants/schema.ts';
import { sqliteGrants } from '../../src/storage/sqlite/ops-file/grants.ts';
import { sqliteScopes } from '../../src/storage/sqlite/scopes/scopes.ts';
import { sqliteSourceReader } from '../../src/storage/sqlite/scopes/source-reader.ts';
import { stocked, type World as RulesWorld, type WorldOptions } from '../rules/world.ts';

export const SECRET = 'a-session-secret-of-more-than-32-characters';
export const TOKEN = 'an-approval-token-of-more-than-32-characters';
export const ANNA = 'anna@example.com';
export const BEN = 'ben@example.com';
/** A bearer of a service with a grant. */
export const SERVICE = `gn_${'s'.repeat(43)}`;

export interface Options extends WorldOptions {
  readonly limits?: Partial<ApprovalSettings['limits']>;
  readonly rights?: readonly Right[];
  /** What Anna's grant covers; every scope unless said. */
  readonly granted?: readonly string[];
  /** In place of the token of a local set-up. */
  readonly signIn?: (sessions: ReturnType<typeof approvalSessions>) => SignIn;
  readonly verifier?: (grants: GrantStore) => ApprovalVerifier;
  readonly publicUrl?: string;
  readonly suspended?: () => boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a server sends has no type yet
  readonly json: any;
}

export type World = Awaited<ReturnType<typeof world>>;

/** The approval side on a real socket, over real scope files; Anna may decide in both scopes, Ben has no grant. */
export async function world(options: Options = {}) {
  const rules: RulesWorld = await stocked(options);
  const grants = sqliteGrants(rules.ops);
  const grantOf = (one: { auth: 'email' | 'access-service' | 'bearer'; identity: string }) =>
    grants.find(one.auth, one.identity);
  const rights = options.rights ?? ['read', 'propose', 'decide'];
  const scopes = [...(options.scopes ?? ['sales', 'legal'])];
  const granted = [...(options.granted ?? scopes)];
  await grants.add(
    { kind: 'person', auth: 'email', scopes: granted, label: null, identity: ANNA, rights: [...rights] },
    rules.clock(),
  );
  await grants.add(
    {
      kind: 'service',
      auth: 'bearer',
      identity: sha256(SERVICE),
      scopes,
      rights: ['read', 'propose'],
      label: null,
    },
    rules.clock(),
  );
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const metrics = createMetrics();
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publicUrl = options.publicUrl ?? url;
  const sessions = approvalSessions({ secret: SECRET, publicUrl, clock: rules.clock, grantOf });
  const tokens: SignIn = {
    kind: 'token',
    sessions,
    identityOf: token => (sameSecret(token, TOKEN) ? ANNA : undefined),
  };
  const app = approvalApp({
    rules: {
      stages: {},
      readers: rules.readers,
      settings: {
        instance: 'demo',
        zone: 'Europe/Berlin',
        publicUrl,
        scopes,
        search: {
          languages: ['de', 'en'],
          minCoverage: 0,
          synonyms: [],
          lexical: null,
          semantic: null,
          reranker: null,
          providers: {},
        },
        limits: {
          requestsPerMinute: 60,
          decisionsPerMinute: 1000,
          loginAttemptsPerMinute: 1000,
          exportsPerHour: 6,
          trustedProxy: false,
          ...options.limits,
        },
        recheckAfterDays: 180,
        backup: { kind: 'copy', directory: null, exportDirectory: null },
        sessionSecret: SECRET,
        opsToken: 'an-ops-token-of-more-than-32-characters',
      },
      grants,
      files: rules.files,
      scopes: sqliteScopes(rules.files),
      rules: rules.rules,
      sources: sqliteSourceReader(rules.files),
      search: rules.search,
      calendar: calendarIn('Europe/Berlin'),
      requests: createRateLimit(rules.clock, 100_000),
      clock: rules.clock,
      call: rules.call,
    },
    verifier: options.verifier?.(grants) ?? sessions,
    signIn: options.signIn?.(sessions) ?? tokens,
    tenants: { suspended: () => options.suspended?.() === true },
    tenant: 'default',
    record: callRecorder({ metrics, log }),
    log,
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void listener(request, response));

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type') === 'application/json';
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  const cookieOf = (identity: string): string => sessions.issueSession(identity).split(';')[0]!;
  const csrfOf = async (identity: string): Promise<string> =>
    (await sessions.person({ cookie: cookieOf(identity), authorization: undefined, accessJwt: undefined }))!.csrf;

  return {
    rules,
    grants,
    sessions,
    url,
    publicUrl,
    logged,
    metrics,
    ask,
    cookieOf,
    csrfOf,
    /** A page as a signed-in person gets it. */
    get: (path: string, identity = ANNA, headers: Record<string, string> = {}) =>
      ask(path, { headers: { cookie: cookieOf(identity), ...headers } }),
    /** A form as a browser sends it; `headers` replace those that it sends by itself. */
    post: (
      path: string,
      fields: Record<string, string> | [string, string][] | string,
      headers: Record<string, string> = {},
    ) =>
      ask(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(publicUrl).origin,
          ...headers,
        },
        body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
      }),
    /** JSON as a script of a person sends it. */
    async decideJson(id: string, body: unknown, headers: Record<string, string> = {}, identity = ANNA) {
      return ask(`/v1/rules/${id}/decision`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: new URL(publicUrl).origin,
          cookie: cookieOf(identity),
          csrf: await csrfOf(identity),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    },
    async end(): Promise<void> {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      rules.remove();
    },
  };
}

/** The fields of the form with this id on a page, as a browser would send them. */
export function formOn(html: string, id: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*id="${id}"[\\s\\S]*?</form>`).exec(html)?.[0];
  if (form === undefined) throw new Error(`no form ${id} on the page`);
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const isOff = attribute(tag, 'type') === 'radio' && !/\schecked\b/.test(tag);
    if (name !== undefined && !isOff) fields[name] = attribute(tag, 'value') ?? '';
  }
  for (const [, tag = '', options = ''] of form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
    const all = [...options.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
    fields[attribute(tag, 'name')!] = attribute(all.find(one => /\sselected\b/.test(one)) ?? all[0]!, 'value')!;
  }
  for (const [, tag = '', text = ''] of form.matchAll(/(<textarea\b[^>]*>)\n?([\s\S]*?)<\/textarea>/g)) {
    fields[attribute(tag, 'name')!] = unescaped(text).replace(/\r?\n/g, '\r\n');
  }
  return fields;
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
export const unescaped = (text: string): string => text.replace(/&(#?\w+);/g, (_all, name: string) => NAMED[name]!);
