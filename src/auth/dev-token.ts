import { sameSecret } from '../kernel/hash.ts';
import type { Principal } from '../kernel/principal.ts';
import { bearerToken, rejected } from './bearer.ts';
import type { Verifier } from './ports.ts';

export interface DevTokens {
  readonly tenant: string;
  readonly identity: string;
  readonly mcpToken: string;
  /** Without one nobody is admin. */
  readonly adminToken?: string;
}

/** Knows one or two fixed tokens, both for the same subject (rules-gaps 11). `unauthorized` for any other. */
export function devTokenVerifier({ tenant, identity, mcpToken, adminToken }: DevTokens): Verifier {
  const agent: Principal = { tenant, subject: identity, groups: [], admin: false, metered: true };
  const admin: Principal = { ...agent, admin: true };
  return {
    async verify(authorization) {
      const token = bearerToken(authorization);
      // Both comparisons always run, so that time does not tell which of them came close.
      const isAgent = sameSecret(token, mcpToken);
      const isAdmin = adminToken !== undefined && sameSecret(token, adminToken);
      if (isAdmin) return admin;
      if (isAgent) return agent;
      throw rejected('not a token of this server');
    },
  };
}
