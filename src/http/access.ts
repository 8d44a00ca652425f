import type { IncomingMessage } from 'node:http';
import { Failure } from '../kernel/failure.ts';

/** Names beside loopback that a deployment answers to. */
export interface AccessRules {
  /** Where browsers find the server, as an absolute URL. */
  readonly publicUrl?: string | undefined;
  /** Hosts, with a port or for any port. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of other pages that may call, as `https://name[:port]`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Pages of every Origin may call. */
  readonly anyOrigin?: boolean | undefined;
}

/** Checks `Host` and `Origin` of a request; returns the Origin that may read the answer, `*` for all. */
export type CheckAccess = (request: IncomingMessage) => string | undefined;

/**
 * No page of another site reaches a server through a name of its own (DNS rebinding): Host must be a loopback name, a
 * configured one, or the very address that was connected to. An Origin must be configured, be the same host, or be
 * loopback on both ends. Refuses with `host_not_allowed` or `origin_not_allowed`. Requests without an Origin pass.
 */
export function checkAccess(rules: AccessRules): CheckAccess {
  const home = rules.publicUrl === undefined ? undefined : new URL(rules.publicUrl);
  const hosts = new Set((rules.allowedHosts ?? []).map(host => host.toLowerCase()));
  if (home) hosts.add(home.host);
  const origins = new Set((rules.allowedOrigins ?? []).map(origin => new URL(origin).origin));
  if (home) origins.add(home.origin);

  // Nearly every request brings the name that the last one brought.
  let usual: string | undefined;
  const hostAllowed = (host: string, request: IncomingMessage): boolean => {
    if (host === usual) return true;
    const name = nameOf(host);
    if (isLoopback(name) || hosts.has(host) || hosts.has(name)) {
      usual = host;
      return true;
    }
    const address = request.socket.localAddress?.replace(/^::ffff:/, '');
    return address !== undefined && (name === address || name === `[${address}]`);
  };
  const originAllowed = (origin: string, host: string): boolean => {
    if (origins.has(origin)) return true;
    const rest = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
    return rest !== undefined && (rest === host || (isLoopback(nameOf(rest)) && isLoopback(nameOf(host))));
  };

  return request => {
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!hostAllowed(host, request)) throw new Failure('host_not_allowed', 'this server does not go by that Host');
    if (rules.anyOrigin) return '*';
    const origin = request.headers.origin?.toLowerCase();
    if (origin === undefined) return undefined;
    if (!originAllowed(origin, host)) throw new Failure('origin_not_allowed', 'pages of this Origin may not call');
    return request.headers.origin;
  };
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '');

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);

/** What a page of an allowed Origin may send and read, for the answer to any request of its own. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'X-Request-Id, Retry-After-Ms, WWW-Authenticate',
  vary: 'Origin',
});

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, X-Request-Id',
  'access-control-max-age': '600',
};
