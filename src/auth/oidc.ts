import { asFailure } from '../kernel/failure.ts';
import { checkedOrFault, rejected } from './bearer.ts';
import type { OidcOptions } from './oidc/verifier.ts';
import type { ApiVerifier, Verifier } from './ports.ts';

/**
 * Verifies JWTs of the trusted issuers (E035-E055). `unauthorized` for a token that does not hold, `forbidden` for one of
 * another tenant. The JWT library is loaded here, so that servers in other modes start without it.
 */
export function oidcVerifier(options: OidcOptions): Verifier {
  const loaded = import('./oidc/verifier.ts').then(({ jwtVerifier }) => jwtVerifier(options));
  return { verify: async (authorization, accessJwt) => (await loaded).verify(authorization, accessJwt) };
}

/**
 * The same tokens on `/v1`: one that stands for no grant, or for another tenant, is `unauthorized` there, and one that nobody could
 * check a fault of ours (rules contract 6.6).
 */
export function grantsOf(verifier: Verifier): ApiVerifier {
  return {
    async verify(authorization, accessJwt) {
      const { grantIdentity } = await verifier.verify(authorization, accessJwt).catch((thrown: unknown) => {
        const refused = checkedOrFault(asFailure(thrown));
        throw refused.code === 'forbidden' ? rejected('it belongs to another tenant') : refused;
      });
      if (!grantIdentity) throw rejected('it stands for no grant');
      return grantIdentity;
    },
  };
}
