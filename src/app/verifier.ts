import { devTokenVerifier, oidcVerifier, openVerifier } from '../auth/index.ts';
import type { Verifier } from '../auth/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';

/** The verifier of the configured mode (rules-gaps 11). */
export function verifierOf({ server, auth }: Settings, clock: Clock, log: Log): Verifier {
  const { tenant } = server;
  if (auth.mode === 'open') return openVerifier({ tenant });
  if (auth.mode === 'dev-token') {
    const { identity, mcpToken, adminToken } = auth.dev;
    return devTokenVerifier({ tenant, identity, mcpToken, ...(adminToken === null ? {} : { adminToken }) });
  }
  const { issuers, audience, ...claims } = auth.oidc;
  return oidcVerifier({
    ...claims,
    issuers: issuers.map(({ issuer, jwksUri }) => ({ issuer, audience, ...(jwksUri === null ? {} : { jwksUri }) })),
    tenant,
    clock,
    log,
  });
}
