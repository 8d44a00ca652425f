import type { Hono } from 'hono';

export interface ResourceParts {
  /** Without trailing slash. */
  readonly publicUrl: string;
  /** Paths of the endpoints that are resources of their own, beside the server as a whole. */
  readonly endpoints: readonly string[];
  /** Issuers whose tokens are taken; none where tokens are handed out by hand. */
  readonly authorizationServers: readonly string[];
}

const PATH = '/.well-known/oauth-protected-resource';

/** What protects this server, for clients that look for a way to sign in (RFC 9728). Addresses are absolute. */
export function addResourceMetadata(app: Hono, { publicUrl, endpoints, authorizationServers }: ResourceParts): void {
  for (const endpoint of ['', ...endpoints]) {
    const about = {
      resource: `${publicUrl}${endpoint}`,
      ...(authorizationServers.length > 0 ? { authorization_servers: authorizationServers } : {}),
      bearer_methods_supported: ['header'],
      resource_name: 'Cairn',
    };
    app.get(`${PATH}${endpoint}`, c => c.json(about, 200, { 'cache-control': 'public, max-age=300' }));
  }
}
