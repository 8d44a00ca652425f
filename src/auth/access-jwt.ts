import { Failure } from '../kernel/failure.ts';
import { bearerToken, refuseTwo, rejected } from './bearer.ts';
import type { AccessTeam, CheckAccessJwt } from './access-jwt/check.ts';
import { csrfHolds, personOf } from './approval-session.ts';
import type { ApiVerifier, ApprovalVerifier, GrantOf, Verifier } from './ports.ts';
import { refuseService, serviceIdentity } from './service-bearer.ts';

export interface AccessOptions extends AccessTeam {
  readonly tenant: string;
  readonly audiences: { readonly mcp: string; readonly api: string; readonly approval: string };
  /** Lower-case e-mails. */
  readonly admins: readonly string[];
}

/** Who calls, told by the JWT of Cloudflare Access, on each channel by its own audience (contract 5.1, rules-gaps 11). */
export interface AccessVerifiers {
  readonly pages: Verifier;
  readonly api: ApiVerifier;
  /** `secret` signs the tokens of forms; the session itself is Access's. */
  approval(secret: string, grantOf: GrantOf): ApprovalVerifier;
}

/** Refuses with `unauthorized`, or `internal` when the team's keys cannot be had. The JWT library is loaded here. */
export function accessVerifiers({ tenant, audiences, admins, ...team }: AccessOptions): AccessVerifiers {
  const loaded = import('./access-jwt/check.ts').then(({ accessJwtCheck }) => accessJwtCheck(team));
  const check: CheckAccessJwt = async (jwt, audience) => (await loaded)(jwt, audience);

  return {
    pages: {
      async verify(authorization, accessJwt) {
        const identity = await check(jwtOf(authorization, accessJwt), audiences.mcp);
        const admin = identity.auth === 'email' && admins.includes(identity.identity);
        return { tenant, subject: identity.identity, groups: [], admin, metered: true, grantIdentity: identity };
      },
    },
    api: {
      verify: async (authorization, accessJwt) => check(jwtOf(authorization, accessJwt), audiences.api),
    },
    approval: (secret, grantOf) => ({
      async person({ authorization, accessJwt }) {
        refuseTwo(authorization, accessJwt);
        await refuseService(serviceIdentity(authorization), grantOf);
        if (!accessJwt) return undefined;
        const identity = await check(accessJwt, audiences.approval);
        if (identity.auth === 'email') return personOf(identity.identity, secret);
        await refuseService(identity, grantOf);
        throw rejected('no grant for it');
      },
      csrfHolds,
    }),
  };
}

/** The one credential; a bearer of another kind than `gn_`, which is looked at before, is nobody's here. */
function jwtOf(authorization: string | undefined, accessJwt: string | undefined): string {
  refuseTwo(authorization, accessJwt);
  if (accessJwt) return accessJwt;
  if (!authorization) throw new Failure('unauthorized', 'a sign-in by Cloudflare Access is needed');
  bearerToken(authorization);
  throw rejected('not a token of this server');
}
