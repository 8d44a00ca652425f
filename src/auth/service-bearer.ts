import { Failure } from '../kernel/failure.ts';
import { sha256 } from '../kernel/hash.ts';
import type { GrantIdentity } from '../kernel/principal.ts';
import { refuseTwo, rejected } from './bearer.ts';
import type { ApiVerifier, GrantOf, Verifier } from './ports.ts';

const FORM = /^[Bb]earer (gn_[A-Za-z0-9_-]{43})$/;

/** The identity of a `gn_` bearer; undefined for any other header value. */
export function serviceIdentity(authorization: string | undefined): GrantIdentity | undefined {
  const token = FORM.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : { auth: 'bearer', identity: sha256(token) };
}

/** Lets services with a grant use pages, as nobody's admin; what is no `gn_` bearer goes to `verifier` (rules-gaps 11). */
export function withServices(verifier: Verifier, tenant: string, grantOf: GrantOf): Verifier {
  return {
    async verify(authorization, accessJwt) {
      const identity = serviceIdentity(authorization);
      if (!identity) return verifier.verify(authorization, accessJwt);
      refuseTwo(authorization, accessJwt);
      const grant = await grantOf(identity);
      if (!grant) throw rejected('no grant for it');
      return { tenant, subject: grant.id, groups: [], admin: false, metered: true, grantIdentity: identity };
    },
  };
}

/** The same for `/v1`, where the grant is looked up by the caller. */
export function withServicesOnApi(verifier: ApiVerifier): ApiVerifier {
  return {
    async verify(authorization, accessJwt) {
      refuseTwo(authorization, accessJwt);
      return serviceIdentity(authorization) ?? verifier.verify(authorization, accessJwt);
    },
  };
}

/** A service never decides: one with a grant is told so, any other bearer is simply nobody here (rules-gaps 15). */
export async function refuseService(identity: GrantIdentity | undefined, grantOf: GrantOf): Promise<void> {
  if (identity && (await grantOf(identity))) throw new Failure('channel-not-allowed', 'persons only');
}
