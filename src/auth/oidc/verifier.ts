import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type CryptoKey, type JWSHeaderParameters } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { sha256 } from '../../kernel/hash.ts';
import type { Log } from '../../kernel/log.ts';
import type { Principal } from '../../kernel/principal.ts';
import { bearerToken, refuseTwo, rejected } from '../bearer.ts';
import type { Verifier } from '../ports.ts';
import { groupsOf, isAdmin, textClaim, type Claims } from './claims.ts';
import { grantIdentityOf } from './grant-identity.ts';
import { signingKeys, type SigningKeys } from './signing-keys.ts';
import { tokenCache } from './token-cache.ts';

export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Default: the issuer's `/protocol/openid-connect/certs` (E054). */
  readonly jwksUri?: string;
}

export interface OidcOptions {
  readonly issuers: readonly TrustedIssuer[];
  /** The served tenant; a token of another one is `forbidden` (E038). */
  readonly tenant: string;
  readonly tenantClaim: string;
  readonly adminRoleClaim: string;
  readonly adminRoleValue: string;
  readonly groupsClaim: string;
  readonly jwksRefreshSecs: number;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  readonly jwksTimeoutMs?: number;
  readonly log?: Log;
}

interface Trust extends TrustedIssuer {
  readonly keys: SigningKeys;
}

export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384'];
const JWKS_TIMEOUT_MS = 10_000;
/** A token may be this young before its time: clocks of issuers run ahead. Expiry gets no such grace. */
const NOT_BEFORE_LEEWAY_SECS = 60;
/** How far ahead the issuer's clock may be (rules contract 5.1). */
const ISSUED_AHEAD_SECS = 30;
const KEPT_TOKENS = 10_000;

/** A verified token is remembered until it expires or its issuer's keys change. Failures: see `oidcVerifier`. */
export function jwtVerifier(options: OidcOptions): Verifier {
  const { clock, tenant } = options;
  const trusted = options.issuers.map(issuer => trust(issuer, options));
  const verified = tokenCache(KEPT_TOKENS);

  function principalOf(claims: Claims): Principal {
    const subject = textClaim(claims, 'sub');
    const claimed = textClaim(claims, options.tenantClaim);
    if (subject === undefined) throw rejected('missing claim sub');
    if (claimed === undefined) throw rejected(`missing claim ${options.tenantClaim}`);
    if (claimed !== tenant) throw new Failure('forbidden', 'the token belongs to another tenant');
    const grantIdentity = grantIdentityOf(claims);
    return {
      tenant,
      subject,
      groups: groupsOf(claims, options.groupsClaim, options.adminRoleValue),
      admin: isAdmin(claims, options.adminRoleClaim, options.adminRoleValue),
      metered: true,
      ...(grantIdentity && { grantIdentity }),
    };
  }

  return {
    async verify(authorization, accessJwt) {
      refuseTwo(authorization, accessJwt);
      const digest = sha256(authorization ?? '');
      const known = verified.get(digest);
      if (known && clock().getTime() < known.expiresAt && known.generation === known.keys.generation()) {
        known.keys.freshen();
        return known.principal;
      }
      const token = bearerToken(authorization);
      const { claims, keys, generation } = await check(token, trusted, clock);
      const expiresAt = claims.exp * 1000;
      if (clock().getTime() >= expiresAt) throw rejected('expired');
      const principal = principalOf(claims);
      verified.put(digest, { principal, expiresAt, keys, generation });
      return principal;
    },
  };
}

function trust(issuer: TrustedIssuer, options: OidcOptions): Trust {
  const derived = `${issuer.issuer.replace(/\/$/, '')}/protocol/openid-connect/certs`;
  const keys = signingKeys({
    uri: issuer.jwksUri ?? derived,
    lifeMs: options.jwksRefreshSecs * 1000,
    timeoutMs: options.jwksTimeoutMs ?? JWKS_TIMEOUT_MS,
    clock: options.clock,
    fetch: options.fetch ?? globalThis.fetch,
    ...(options.log && { log: options.log }),
  });
  return { ...issuer, keys };
}

/** Signature, issuer, audience and times. Whatever can be told from the header alone is told before any key is looked up. */
async function check(token: string, trusted: readonly Trust[], clock: Clock) {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    if (alg === undefined || !ALGORITHMS.includes(alg)) throw rejected('its algorithm is not allowed');
    if (typeof kid !== 'string' || kid === '') throw rejected('it names no key');
    const { issuer, audience, keys } = issuerOf(token, trusted);
    let generation = 0;
    const findKey = async (header: JWSHeaderParameters): Promise<CryptoKey> => {
      const found = await keys.keyFor(header);
      generation = found.generation;
      return found.key;
    };
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      currentDate: clock(),
      clockTolerance: NOT_BEFORE_LEEWAY_SECS,
      requiredClaims: ['exp'],
    });
    if (payload.iat !== undefined && payload.iat > clock().getTime() / 1000 + ISSUED_AHEAD_SECS)
      throw rejected('it comes from the future');
    return { claims: { ...payload, exp: payload.exp! }, keys, generation };
  } catch (error) {
    throw error instanceof Failure ? error : rejected(reasonOf(error));
  }
}

/** With several issuers the unverified `iss` only chooses whose keys must have signed (E052); with one there is no choice. */
function issuerOf(token: string, trusted: readonly Trust[]): Trust {
  const [only] = trusted;
  if (only && trusted.length === 1) return only;
  const { iss } = decodeJwt(token);
  const named = trusted.find(entry => entry.issuer === iss);
  if (!named) throw rejected('its issuer is not trusted');
  return named;
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim} does not hold`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not verify';
  return 'it is no valid token';
}
