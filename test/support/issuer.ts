import type { IncomingMessage, RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { Provider, type Context } from 'oidc-provider';
import { followWithin, INTERACTION, memory, peopleOf, type SignIn } from './issuer-people.ts';
import { listen } from './loopback.ts';

export interface TokenOptions {
  /** Default ES256. */
  readonly alg?: 'ES256' | 'RS256';
  /** Moment of issue; default now. */
  readonly now?: Date;
  /** Default 600. */
  readonly expiresInSecs?: number;
  /** Laid over `alg` and `kid`; undefined takes one away. */
  readonly header?: Readonly<Record<string, string | undefined>>;
}

/** A running OpenID provider with keys of its own. */
export interface TestIssuer {
  readonly issuer: string;
  /** Where tokens are looked up when nobody configures it (E054). */
  readonly jwksUri: string;
  /** How often the keys were fetched. */
  jwksRequests(): number;
  /**
   * A token signed by the provider's present key: subject `ann`, tenant `default`, audience `escurel`. Claims are laid over
   * that; undefined takes one away.
   */
  token(claims?: Readonly<Record<string, unknown>>, options?: TokenOptions): Promise<string>;
  /** An access token that the provider itself hands out by client credentials; its subject is `robot`. */
  grantedToken(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** What people sign in to, and who is at the browser; tests change it as they like. */
  readonly signIn: SignIn;
  /** Takes a browser through the sign-in; where it is sent in the end. */
  visit(location: string): Promise<string>;
  /** New keys under new names; the old ones are published no longer. */
  rotateKeys(): Promise<void>;
  stop(): Promise<void>;
}

interface Key {
  readonly kid: string;
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

type Keys = { readonly [alg in 'ES256' | 'RS256']: Key };

const JWKS_PATH = '/protocol/openid-connect/certs';
const AUDIENCE = 'escurel';
const RESOURCE = 'urn:cairn:test';
const CLIENT = { id: 'robot', secret: 'a secret of the tests' };

/** Starts a provider on a free loopback port. */
export async function startIssuer(): Promise<TestIssuer> {
  let requests = 0;
  let handler: RequestListener | undefined;
  const server = await listen((request, response) => {
    if (request.url === JWKS_PATH) requests += 1;
    handler?.(request, response);
  });
  const issuer = server.origin;
  const signIn: SignIn = {
    clientId: 'people',
    redirectUri: 'http://127.0.0.1/approval/login/callback',
    person: { sub: 'ann', email: 'Ann@Example.org', email_verified: true },
  };
  let keys = await makeKeys();
  handler = provide(issuer, keys, signIn);

  return {
    issuer,
    jwksUri: issuer + JWKS_PATH,
    jwksRequests: () => requests,
    stop: server.stop,
    async rotateKeys() {
      keys = await makeKeys();
      handler = provide(issuer, keys, signIn);
    },
    signIn,
    visit: location => followWithin(issuer, location),
    async token(claims = {}, { alg = 'ES256', now = new Date(), expiresInSecs = 600, header = {} } = {}) {
      const iat = Math.floor(now.getTime() / 1000);
      const usual = { iss: issuer, aud: AUDIENCE, sub: 'ann', tenant: 'default', iat, exp: iat + expiresInSecs };
      const { kid, secret } = keys[alg];
      const protectedHeader = { typ: 'JWT', alg, kid, ...header } as { alg: string };
      return new SignJWT({ ...usual, ...claims } as JWTPayload).setProtectedHeader(protectedHeader).sign(secret);
    },
    async grantedToken(claims = {}) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`)}`,
          'x-claims': JSON.stringify(claims),
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (!body.access_token) throw new Error(`no token: ${JSON.stringify(body)}`);
      return body.access_token;
    },
  };
}

async function makeKeys(): Promise<Keys> {
  const [ES256, RS256] = await Promise.all([makeKey('ES256'), makeKey('RS256')]);
  return { ES256, RS256 };
}

async function makeKey(alg: string): Promise<Key> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `${alg}-${crypto.randomUUID()}`;
  return { kid, secret: privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } };
}

function provide(issuer: string, keys: Keys, signIn: SignIn): RequestListener {
  const provider = new Provider(issuer, {
    ...peopleOf(() => signIn),
    adapter: memory(() => signIn),
    jwks: { keys: [keys.ES256.jwk, keys.RS256.jwk] },
    routes: { jwks: JWKS_PATH },
    ttl: { ClientCredentials: 600 },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: ({ oidc }: Context) => (oidc.client.clientId === CLIENT.id ? RESOURCE : undefined),
        getResourceServerInfo: () => ({
          scope: '',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    extraTokenClaims: ({ req }: { req: IncomingMessage }) => JSON.parse(String(req.headers['x-claims'] ?? '{}')),
  });
  const callback = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith(INTERACTION)) return void callback(request, response);
    const accountId = String(signIn.person['sub']);
    void provider.interactionFinished(request, response, { login: { accountId } });
  };
}
