import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { sameSecret } from '../../kernel/hash.ts';
import type { Log } from '../../kernel/log.ts';
import { rejected } from '../bearer.ts';
import { textClaim, type Claims } from './claims.ts';
import { emailIdentity } from './grant-identity.ts';
import { SIGN_IN_TIMEOUT_MS, type Metadata } from './provider.ts';
import { signingKeys, type SigningKeys } from './signing-keys.ts';
import { ALGORITHMS } from './verifier.ts';

export interface IdTokenOptions {
  readonly clientId: string;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly log?: Log;
}

/** The lower-case e-mail in an id token made for this client and this very sign-in; `unauthorized` for anything else. */
export type CheckIdToken = (token: string, nonce: string, metadata: Metadata) => Promise<string>;

const KEYS_LIFE_MS = 10 * 60_000;
const LEEWAY_SECS = 30;

export function idTokenCheck({ clientId, clock, fetch, log }: IdTokenOptions): CheckIdToken {
  let known: { readonly uri: string; readonly keys: SigningKeys } | undefined;

  function keysAt(uri: string): SigningKeys {
    if (known?.uri !== uri) {
      const unavailable = (): Failure => new Failure('internal', 'internal error');
      const options = { uri, lifeMs: KEYS_LIFE_MS, timeoutMs: SIGN_IN_TIMEOUT_MS, clock, fetch, unavailable };
      known = { uri, keys: signingKeys({ ...options, ...(log && { log }) }) };
    }
    return known.keys;
  }

  return async (token, nonce, { issuer, jwks_uri }) => {
    try {
      const { kid } = decodeProtectedHeader(token);
      if (typeof kid !== 'string' || kid === '') throw rejected('it names no key');
      const { payload } = await jwtVerify(token, async header => (await keysAt(jwks_uri).keyFor(header)).key, {
        algorithms: ALGORITHMS,
        issuer,
        audience: clientId,
        currentDate: clock(),
        clockTolerance: LEEWAY_SECS,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return emailOf(payload, clientId, nonce);
    } catch (thrown) {
      throw thrown instanceof Failure ? thrown : rejected('the id token does not hold');
    }
  };
}

function emailOf(claims: Claims, clientId: string, nonce: string): string {
  if (!sameSecret(textClaim(claims, 'nonce') ?? '', nonce)) throw rejected('the id token is of another sign-in');
  const { azp, aud, email_verified } = claims;
  const several = Array.isArray(aud) && aud.length > 1;
  if ((several || azp !== undefined) && azp !== clientId) throw rejected('the id token is of another client');
  if (email_verified === false || email_verified === 'false') throw rejected('the e-mail has not been verified');
  const person = emailIdentity(textClaim(claims, 'email') ?? '');
  if (!person) throw rejected('the id token holds no usable e-mail');
  return person.identity;
}
