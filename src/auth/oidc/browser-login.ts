import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { hmac, sameSecret, sha256 } from '../../kernel/hash.ts';
import { randomToken } from '../../kernel/ids.ts';
import { isObject } from '../../kernel/json.ts';
import type { Log } from '../../kernel/log.ts';
import { cookieJar } from '../cookies.ts';
import { fetchText } from './fetch-text.ts';
import { providerMetadata, SIGN_IN_TIMEOUT_MS, type Metadata } from './provider.ts';

export interface BrowserLoginOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string;
  readonly publicUrl: string;
  /** Signs what the browser keeps between the two steps. */
  readonly sessionSecret: string;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  readonly log?: Log;
}

/** Sign-in of people by the authorization code flow with PKCE, state and nonce (rules-gaps 11). */
export interface BrowserLogin {
  /** Where to send the browser, and with which `Set-Cookie`. `returnTo`: an approval page. `internal`: no issuer there. */
  begin(returnTo?: string): Promise<{ readonly location: string; readonly setCookie: string }>;
  /**
   * `url`: path and query of the callback; `cookie`: its Cookie header. Refuses with `unauthorized`, or `internal`. The session
   * cookie is SameSite=Strict, so it is not sent on a redirect from here, which the issuer began: answer with a page that leads on.
   */
  finish(
    url: string,
    cookie: string | undefined,
  ): Promise<{
    /** Lower-case e-mail. */
    readonly identity: string;
    /** Forgets this sign-in. */
    readonly setCookie: string;
    readonly returnTo: string;
  }>;
}

export const CALLBACK_PATH = '/approval/login/callback';
const HOME = '/approval';
const PAGE = /^\/approval(?:[/?][\x21\x23-\x5b\x5d-\x7e]*)?$/;
const LIFE_SECS = 600;

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly exp: number;
}

export function browserLogin(options: BrowserLoginOptions): BrowserLogin {
  const { issuer, clientId, publicUrl, sessionSecret, clock, fetch = globalThis.fetch, log } = options;
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  const cookie = cookieJar({ name: 'gn_login', sameSite: 'Lax', publicUrl });
  const outside = { clock, fetch, ...(log && { log }) };
  const metadata = providerMetadata(issuer, outside);
  let checkIdToken: ReturnType<typeof loadCheck> | undefined;
  const loadCheck = async () => (await import('./id-token.ts')).idTokenCheck({ clientId, ...outside });
  const now = (): number => clock().getTime() / 1000;
  const macOf = (payload: string): string => hmac(sessionSecret, `login\0${payload}`);

  function pendingOf(header: string | undefined): Pending {
    const [value = '', second] = cookie.read(header);
    const [payload = '', mac = '', ...rest] = value.split('.');
    if (second !== undefined || rest.length > 0 || !sameSecret(mac, macOf(payload)))
      throw refused('it was not begun here');
    const pending: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(pending) || !(now() < Number(pending['exp']))) throw refused('it took too long');
    return pending as unknown as Pending;
  }

  async function idTokenFor(code: string, verifier: string, { token_endpoint, ...about }: Metadata): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    });
    const { form: secret, headers } = clientProof(options, about.token_endpoint_auth_methods_supported);
    for (const [name, value] of Object.entries(secret)) form.set(name, value);
    try {
      const text = await fetchText(token_endpoint, SIGN_IN_TIMEOUT_MS, fetch, { form, headers });
      const { id_token } = JSON.parse(text) as { id_token?: unknown };
      if (typeof id_token === 'string') return id_token;
      throw new Error('there is no id token in the answer');
    } catch (cause) {
      log?.warn({ uri: token_endpoint, reason: String(cause) }, 'a sign-in was not confirmed by the issuer');
      throw refused('the issuer did not confirm it');
    }
  }

  return {
    async begin(returnTo = HOME) {
      const { authorization_endpoint } = await metadata();
      const pending: Pending = {
        state: randomToken(),
        nonce: randomToken(),
        verifier: randomToken(),
        returnTo: PAGE.test(returnTo) ? returnTo : HOME,
        exp: Math.floor(now()) + LIFE_SECS,
      };
      const location = new URL(authorization_endpoint);
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: Buffer.from(sha256(pending.verifier), 'hex').toString('base64url'),
        code_challenge_method: 'S256',
      }))
        location.searchParams.set(name, value);
      const payload = Buffer.from(JSON.stringify(pending)).toString('base64url');
      return { location: location.href, setCookie: cookie.set(`${payload}.${macOf(payload)}`, LIFE_SECS) };
    },
    async finish(url, header) {
      const pending = pendingOf(header);
      const answer = new URL(url, publicUrl).searchParams;
      if (!sameSecret(answer.get('state') ?? '', pending.state)) throw refused('it was not begun here');
      const about = await metadata();
      if ((answer.get('iss') ?? issuer) !== issuer) throw refused('another issuer answered');
      const code = answer.get('code');
      if (code === null || code === '') throw refused('the issuer did not grant it');
      const idToken = await idTokenFor(code, pending.verifier, about);
      checkIdToken ??= loadCheck();
      const identity = await (await checkIdToken)(idToken, pending.nonce, about);
      return { identity, setCookie: cookie.clear(), returnTo: pending.returnTo };
    },
  };
}

const refused = (reason: string): Failure => new Failure('unauthorized', `sign-in refused: ${reason}`);

/** How a client with a secret proves itself: in the header, unless the issuer only takes it in the form (RFC 6749, 2.3.1). */
function clientProof({ clientId, clientSecret }: BrowserLoginOptions, methods: readonly string[]) {
  if (clientSecret === undefined) return { form: {}, headers: {} };
  const inForm = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  if (inForm) return { form: { client_secret: clientSecret }, headers: {} };
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
  return { form: {}, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
