import { oidcVerifier, type OidcOptions } from '../../src/auth/index.ts';
import type { Verifier } from '../../src/auth/ports.ts';

/** A clock that tests move by hand. It starts at a whole second, as the times in tokens are. */
export interface HandClock {
  (): Date;
  advance(ms: number): void;
}

export function handClock(): HandClock {
  let now = Date.UTC(2026, 2, 1, 12);
  return Object.assign(() => new Date(now), { advance: (ms: number) => void (now += ms) });
}

/** A verifier for tenant `default` with the default claims of the settings (N018-N023). */
export function verifierFor(
  issuers: readonly string[],
  overrides: Partial<OidcOptions> = {},
): Pick<Verifier, 'verify'> & { token(token: string): ReturnType<Verifier['verify']> } {
  const { verify } = oidcVerifier({
    issuers: issuers.map(issuer => ({ issuer, audience: 'escurel' })),
    tenant: 'default',
    tenantClaim: 'tenant',
    adminRoleClaim: 'roles',
    adminRoleValue: 'escurel:admin',
    groupsClaim: 'roles',
    jwksRefreshSecs: 300,
    clock: handClock(),
    ...overrides,
  });
  return { verify, token: token => verify(`Bearer ${token}`) };
}
