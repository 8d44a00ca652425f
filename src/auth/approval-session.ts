import type { Clock } from '../kernel/clock.ts';
import { hmac, sameSecret } from '../kernel/hash.ts';
import { isObject } from '../kernel/json.ts';
import { refuseTwo } from './bearer.ts';
import { cookieJar } from './cookies.ts';
import type { ApprovalPerson, ApprovalVerifier, GrantOf } from './ports.ts';
import { refuseService, serviceIdentity } from './service-bearer.ts';

export interface ApprovalSessionOptions {
  /** At least 32 characters; whoever knows it can sign in as anybody. */
  readonly secret: string;
  /** By https the cookie is bound to this very host; by http it is for loopback only. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly grantOf: GrantOf;
}

/** Sessions of people by cookie, for the modes in which this server signs them in (contract 5.3). */
export interface ApprovalSessions extends ApprovalVerifier {
  /** A `Set-Cookie` value that signs a person in for 8 hours. `identity`: an e-mail that has been proved. */
  issueSession(identity: string): string;
  /** A `Set-Cookie` value that signs out. */
  clearSession(): string;
}

const LIFE_SECS = 8 * 3600;

export function approvalSessions({ secret, publicUrl, clock, grantOf }: ApprovalSessionOptions): ApprovalSessions {
  const cookie = cookieJar({ name: 'gn_session', sameSite: 'Strict', publicUrl });
  const now = (): number => clock().getTime() / 1000;

  function read(value: string): string | undefined {
    const [payload = '', mac = '', ...rest] = value.split('.');
    const holds = sameSecret(mac, hmac(secret, payload));
    if (!holds || rest.length > 0) return undefined;
    const session: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(session) || typeof session['sub'] !== 'string' || typeof session['exp'] !== 'number')
      return undefined;
    return now() < session['exp'] ? session['sub'] : undefined;
  }

  return {
    issueSession(identity) {
      const session = { sub: identity.toLowerCase(), exp: Math.floor(now()) + LIFE_SECS };
      const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
      return cookie.set(`${payload}.${hmac(secret, payload)}`, LIFE_SECS);
    },
    clearSession: () => cookie.clear(),
    async person({ cookie: header, authorization, accessJwt }) {
      refuseTwo(authorization, accessJwt);
      const [value, second] = cookie.read(header);
      refuseTwo(value, second ?? (authorization || accessJwt));
      await refuseService(serviceIdentity(authorization), grantOf);
      const identity = value === undefined ? undefined : read(value);
      return identity === undefined ? undefined : personOf(identity, secret);
    },
    csrfHolds,
  };
}

/** A person with the token that their forms send back. No session value has a zero byte, so none can stand for the other. */
export const personOf = (identity: string, secret: string): ApprovalPerson => ({
  identity,
  csrf: hmac(secret, `csrf\0${identity}`),
});

export const csrfHolds = (person: ApprovalPerson, given: string | undefined): boolean =>
  sameSecret(given ?? '', person.csrf);
