import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import type { GrantIdentity } from '../../kernel/principal.ts';
import { rejected } from '../bearer.ts';
import { textClaim, type Claims } from '../oidc/claims.ts';
import { emailIdentity } from '../oidc/grant-identity.ts';
import { signingKeys } from '../oidc/signing-keys.ts';

export interface AccessTeam {
  /** `https://<team>.cloudflareaccess.com` */
  readonly teamDomain: string;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  readonly log?: Log;
}

/** Whom a JWT of the team names on the channel with that audience. `unauthorized`; `internal` when the keys cannot be had. */
export type CheckAccessJwt = (jwt: string, audience: string) => Promise<GrantIdentity>;

const KEYS = { lifeMs: 10 * 60_000, restMs: 60_000, timeoutMs: 5_000 };
const TOLERANCE_SECS = 30;

/** Checks the JWTs that Cloudflare Access puts on every request it lets through (contract 5.1). */
export function accessJwtCheck({ teamDomain, clock, fetch = globalThis.fetch, log }: AccessTeam): CheckAccessJwt {
  const issuer = teamDomain.replace(/\/$/, '');
  const keys = signingKeys({
    ...KEYS,
    uri: `${issuer}/cdn-cgi/access/certs`,
    clock,
    fetch,
    unavailable: () => new Failure('internal', 'internal error'),
    ...(log && { log }),
  });
  return async (jwt, audience) => {
    try {
      // Told before any key is looked up, so that a stranger's words cause no fetch.
      const { kid } = decodeProtectedHeader(jwt);
      if (typeof kid !== 'string' || kid === '') throw rejected('it names no key');
      const { payload } = await jwtVerify(jwt, async header => (await keys.keyFor(header)).key, {
        algorithms: ['RS256'],
        issuer,
        audience,
        currentDate: clock(),
        clockTolerance: TOLERANCE_SECS,
        requiredClaims: ['exp'],
      });
      if (payload.iat !== undefined && payload.iat > clock().getTime() / 1000 + TOLERANCE_SECS)
        throw rejected('it comes from the future');
      return identityOf(payload);
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown;
      throw rejected(thrown instanceof errors.JWTExpired ? 'expired' : 'it does not hold');
    }
  };
}

function identityOf(claims: Claims): GrantIdentity {
  if (typeof claims['email'] === 'string') {
    const person = emailIdentity(claims['email']);
    if (!person) throw rejected('its e-mail is not usable');
    return person;
  }
  const name = textClaim(claims, 'common_name');
  if (name === undefined) throw rejected('it names nobody');
  return { auth: 'access-service', identity: name };
}
