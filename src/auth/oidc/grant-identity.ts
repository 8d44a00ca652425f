import type { GrantIdentity } from '../../kernel/principal.ts';
import { textClaim, type Claims } from './claims.ts';

const PRINTABLE = /^[\x21-\x7e]+$/;

/** An e-mail as grants are made out to it; undefined when it is no printable ASCII, which look-alikes would need. */
export const emailIdentity = (email: string): GrantIdentity | undefined =>
  PRINTABLE.test(email) ? { auth: 'email', identity: email.toLowerCase() } : undefined;

/**
 * Whose grant a token stands for (rules-gaps 11): the e-mail, unless its issuer says that nobody checked it; without one a
 * service, by the first of `client_id`, `azp` and `sub`. An e-mail that cannot be anybody's stands for no grant at all.
 */
export function grantIdentityOf(claims: Claims): GrantIdentity | undefined {
  const email = textClaim(claims, 'email');
  const unchecked = [false, 'false'].includes(claims['email_verified'] as boolean | string);
  if (email !== undefined && !unchecked) return emailIdentity(email);
  const name = textClaim(claims, 'client_id') ?? textClaim(claims, 'azp') ?? textClaim(claims, 'sub');
  return name === undefined ? undefined : { auth: 'access-service', identity: name };
}
