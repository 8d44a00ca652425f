import { randomUUID } from 'node:crypto';
import type { Answer, Lines, World } from './world.ts';

/** Where a credential may be shown. `combined`: a tool of the rules on `/mcp`. */
export const SURFACES = ['pages', 'admin', 'combined', 'rules', 'v1', 'page', 'decision', 'operator'] as const;
type Surface = (typeof SURFACES)[number];

/** A credential as a request brings it: header lines, and the token that forms send back. */
export interface Credential {
  readonly lines: Lines;
  readonly csrf?: string;
}

export const bearer = (token: string): Lines => [['authorization', `Bearer ${token}`]];
export const accessJwt = (jwt: string): Lines => [['cf-access-jwt-assertion', jwt]];
export const cookie = (pair: string): Lines => [['cookie', pair]];

const JSON_TYPE = ['content-type', 'application/json'] as const;

const call = (path: string, name: string, lines: Lines) => ({
  method: 'POST',
  path,
  lines: [JSON_TYPE, ...lines],
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
});

/**
 * What every surface answers to a credential, and under what name pages know it. The decision names a version that no rule has:
 * `decides` is that the server looked for it.
 */
export async function shown(world: World, { lines, csrf = 'none' }: Credential, ruleId: string) {
  const { send, operator, publicUrl } = world;
  const requestId = randomUUID();
  const tokens = lines.filter(([name]) => name === 'authorization').map(([, value]) => value);
  const decision = {
    method: 'POST',
    path: `/v1/rules/${ruleId}/decision`,
    lines: [JSON_TYPE, ['origin', publicUrl] as const, ['csrf', csrf] as const, ...lines],
    body: JSON.stringify({ decision: 'confirm', version: 99 }),
  };
  const asked: Readonly<Record<Surface, Promise<string>>> = {
    pages: send(call('/mcp/pages', 'list_skills', [['x-request-id', requestId], ...lines])).then(ofMcp),
    admin: send(call('/mcp/pages', 'tenant_get', lines)).then(ofMcp),
    combined: send(call('/mcp', 'scopes', lines)).then(ofMcp),
    rules: send(call('/mcp/rules', 'scopes', lines)).then(ofMcp),
    v1: send({ path: '/v1/status', lines }).then(ofHttp),
    page: send({ path: '/approval', lines: [['accept', 'text/html'], ...lines] }).then(ofHttp),
    decision: send(decision).then(ofHttp),
    operator: operator('GET /ops/status', undefined, tokens.join(', ')).then(
      ({ status, body }) => wordOf(status, body.error),
      ({ code }: { code: string }) => code,
    ),
  };
  const words: string[] = [];
  for (const surface of SURFACES) words.push(await asked[surface]);
  return [...words, world.subjectOf(requestId) ?? '-'];
}

/** The codes that stand for a status, and the statuses that stand alone; any other code is written out. */
const USUAL: Readonly<Record<number, readonly unknown[]>> = {
  401: ['unauthorized'],
  403: ['channel-not-allowed'],
  404: ['not-found', 'not_found', undefined],
  500: ['internal'],
};

function wordOf(status: number, code: unknown): string {
  if (status < 300) return 'yes';
  if (code === 'version-outdated') return 'decides';
  return USUAL[status]?.includes(code) ? String(status) : `${status} ${String(code)}`;
}

function ofHttp({ status, headers, text }: Answer): string {
  const location = String(headers['location']);
  if (status === 303) return location.startsWith('/approval/login?') ? 'login' : `to ${location}`;
  if (headers['content-type']?.includes('json')) return wordOf(status, (JSON.parse(text) as { error?: unknown }).error);
  // A page names its code for people who report it.
  return wordOf(status, /<code[^>]*>([a-z-]+)<\/code>/.exec(text)?.[1]);
}

function ofMcp(answer: Answer): string {
  if (answer.status !== 200) return ofHttp(answer);
  const { error, result } = JSON.parse(answer.text) as {
    error?: { data?: { code?: string }; message: string };
    result?: { isError?: boolean; structuredContent?: { error?: string }; content: { text: string }[] };
  };
  if (error) return error.data?.code ?? error.message;
  return result?.isError ? `tool ${result.structuredContent?.error ?? result.content[0]?.text}` : 'yes';
}
