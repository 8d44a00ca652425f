import type { Grant } from '../grants/schema.ts';
import type { GrantOut } from './schema.ts';

/** A grant as the operator sees it: what is stored of a bearer could be searched for, so only its beginning is shown. */
export function grantOut({ createdAt, disabledAt, identity, ...grant }: Grant): GrantOut {
  const bearer = grant.auth === 'bearer';
  return {
    ...grant,
    scopes: [...grant.scopes],
    rights: [...grant.rights],
    identity: bearer ? null : identity,
    fingerprint: bearer ? `sha256:${identity.slice(0, 12)}` : null,
    created_at: createdAt,
    disabled_at: disabledAt,
  };
}
