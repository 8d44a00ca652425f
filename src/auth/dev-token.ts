import { secretCheck } from '../kernel/hash.ts';
import type { GrantIdentity, Principal } from '../kernel/principal.ts';
import { bearerToken, refuseTwo, rejected } from './bearer.ts';
import type { ApiVerifier, Verifier } from './ports.ts';

export interface DevTokens {
  readonly tenant: string;
  /** Lower-case e-mail. */
  readonly identity: string;
  readonly mcpToken: string;
  /** Without one nobody is admin. */
  readonly adminToken?: string;
}

const NOT_OURS = 'not a token of this server';

const grantIdentity = (identity: string): GrantIdentity => ({ auth: 'email', identity });

/** Knows one or two fixed tokens, both for the same subject; the admin's stands for no grant (rules-gaps 11). */
export function devTokenVerifier({ tenant, identity, mcpToken, adminToken }: DevTokens): Verifier {
  const caller: Principal = { tenant, subject: identity, groups: [], admin: false, metered: true };
  const agent: Principal = { ...caller, grantIdentity: grantIdentity(identity) };
  const admin: Principal = { ...caller, admin: true };
  const isMcpToken = secretCheck(mcpToken);
  const isAdminToken = adminToken === undefined ? undefined : secretCheck(adminToken);
  return {
    async verify(authorization, accessJwt) {
      refuseTwo(authorization, accessJwt);
      const token = bearerToken(authorization);
      // Both comparisons always run, so that time does not tell which of them came close.
      const isAgent = isMcpToken(token);
      const isAdmin = isAdminToken?.(token) === true;
      if (isAdmin) return admin;
      if (isAgent) return agent;
      throw rejected(NOT_OURS);
    },
  };
}

/** Knows the one fixed token of `/v1`. */
export function devApiVerifier(tokens: { readonly identity: string; readonly apiToken: string }): ApiVerifier {
  const isApiToken = secretCheck(tokens.apiToken);
  return {
    async verify(authorization, accessJwt) {
      refuseTwo(authorization, accessJwt);
      if (!isApiToken(bearerToken(authorization))) throw rejected(NOT_OURS);
      return grantIdentity(tokens.identity);
    },
  };
}
