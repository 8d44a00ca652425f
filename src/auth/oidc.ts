import type { OidcOptions } from './oidc/verifier.ts';
import type { Verifier } from './ports.ts';

/**
 * Verifies JWTs of the trusted issuers (E035-E055). `unauthorized` for a token that does not hold, `forbidden` for one of
 * another tenant. The JWT library is loaded here, so that servers in other modes start without it.
 */
export function oidcVerifier(options: OidcOptions): Verifier {
  const loaded = import('./oidc/verifier.ts').then(({ jwtVerifier }) => jwtVerifier(options));
  return { verify: async authorization => (await loaded).verify(authorization) };
}
