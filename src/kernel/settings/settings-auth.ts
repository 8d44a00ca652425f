import type { Values } from './merge.ts';

/** The mode with what it needs (rules-gaps 11). */
export type AuthSettings =
  | { readonly mode: 'open' }
  | { readonly mode: 'dev-token'; readonly dev: DevSettings }
  | { readonly mode: 'oidc'; readonly oidc: OidcSettings }
  | { readonly mode: 'cloudflare-access'; readonly access: AccessSettings };

export interface DevSettings {
  /** Lower-case e-mail. */
  readonly identity: string;
  readonly mcpToken: string;
  readonly adminToken: string | null;
  /** These two are there when rules are mounted. */
  readonly apiToken: string | null;
  readonly approvalToken: string | null;
}

export interface OidcSettings {
  /** At least one. `jwksUri` null: derived from the issuer (E054). */
  readonly issuers: readonly { readonly issuer: string; readonly jwksUri: string | null }[];
  readonly audience: string;
  readonly tenantClaim: string;
  readonly adminRoleClaim: string;
  readonly adminRoleValue: string;
  readonly groupsClaim: string;
  readonly jwksRefreshSecs: number;
  /** By which people sign in to the approval pages, at the first issuer; null: nobody can. `secret` null: a public client. */
  readonly approvalClient: { readonly id: string; readonly secret: string | null } | null;
}

export interface AccessSettings {
  readonly teamDomain: string;
  readonly audiences: { readonly mcp: string; readonly api: string; readonly approval: string };
  /** Lower-case e-mails. */
  readonly admins: readonly string[];
}

/** Picks the settings of the mode out of values that passed every check. */
export function authOf(values: Values): AuthSettings {
  const mode = values.get('auth.mode')!;
  if (mode === 'open') return { mode };
  if (mode === 'dev-token') {
    return {
      mode,
      dev: {
        identity: values.get('dev.identity')!,
        mcpToken: values.get('dev.mcp_token')!,
        adminToken: values.get('dev.admin_token'),
        apiToken: values.get('dev.api_token'),
        approvalToken: values.get('dev.approval_token'),
      },
    };
  }
  if (mode === 'cloudflare-access') {
    const { team_domain, aud_mcp, aud_api, aud_approval } = values.get('access')!;
    const admins = values.get('admins').map(email => email.toLowerCase());
    return {
      mode,
      access: { teamDomain: team_domain, audiences: { mcp: aud_mcp, api: aud_api, approval: aud_approval }, admins },
    };
  }
  return { mode, oidc: oidcOf(values) };
}

function oidcOf(values: Values): OidcSettings {
  const first = { issuer: values.get('auth.oidc.issuer')!, jwksUri: values.get('auth.oidc.jwks_uri') };
  const more = values.get('auth.oidc.more_issuers').map(one => ({ issuer: one.issuer, jwksUri: one.jwks_uri ?? null }));
  const clientId = values.get('auth.approval_client_id');
  return {
    issuers: [first, ...more],
    audience: values.get('auth.oidc.audience'),
    tenantClaim: values.get('auth.oidc.tenant_claim'),
    adminRoleClaim: values.get('auth.oidc.admin_role_claim'),
    adminRoleValue: values.get('auth.oidc.admin_role_value'),
    groupsClaim: values.get('auth.oidc.groups_claim'),
    jwksRefreshSecs: values.get('auth.oidc.jwks_refresh_secs'),
    approvalClient: clientId === null ? null : { id: clientId, secret: values.get('auth.approval_client_secret') },
  };
}
