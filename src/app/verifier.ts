import {
  accessVerifiers,
  approvalSessions,
  browserLogin,
  devApiVerifier,
  devTokenVerifier,
  grantsOf,
  oidcVerifier,
  openVerifier,
  withServices,
  withServicesOnApi,
} from '../auth/index.ts';
import type { ApiVerifier, ApprovalVerifier, GrantOf, Verifier } from '../auth/ports.ts';
import type { SignIn } from '../http/approval/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { sameSecret } from '../kernel/hash.ts';
import type { Log } from '../kernel/log.ts';
import type { AuthSettings, RulesSettings, Settings } from '../kernel/settings/index.ts';

export interface VerifierParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The grants of a server that mounts rules. */
  readonly grantOf: GrantOf;
  /** How issuers are asked; for tests that stand in for the network. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Who calls, on each channel, by the configured mode (rules-gaps 11). */
export interface Verifiers {
  readonly pages: Verifier;
  /** Where rules are mounted. */
  readonly rules: RulesVerifiers | null;
}

interface RulesVerifiers {
  readonly api: ApiVerifier;
  readonly approval: ApprovalVerifier;
  readonly signIn: SignIn;
}

type Auth<M> = Extract<AuthSettings, { readonly mode: M }>;
interface Context extends VerifierParts {
  readonly tenant: string;
  readonly rules: RulesSettings | null;
}

export function verifiersOf({ server, auth, rules }: Settings, parts: VerifierParts): Verifiers {
  const { tenant } = server;
  const context: Context = { ...parts, tenant, rules };
  if (auth.mode === 'open') return { pages: openVerifier({ tenant }), rules: null };
  const made = verifiersIn(auth, context);
  if (!made.rules) return made;
  return {
    pages: withServices(made.pages, tenant, parts.grantOf),
    rules: { ...made.rules, api: withServicesOnApi(made.rules.api) },
  };
}

function verifiersIn(auth: Exclude<AuthSettings, { readonly mode: 'open' }>, context: Context): Verifiers {
  if (auth.mode === 'dev-token') return devVerifiers(auth, context);
  return auth.mode === 'oidc' ? oidcVerifiers(auth, context) : behindAccess(auth, context);
}

function devVerifiers({ dev }: Auth<'dev-token'>, { tenant, rules, ...parts }: Context): Verifiers {
  const { identity, mcpToken, adminToken, apiToken, approvalToken } = dev;
  const pages = devTokenVerifier({ tenant, identity, mcpToken, ...(adminToken !== null && { adminToken }) });
  if (!rules) return { pages, rules };
  const sessions = sessionsOf(rules, parts);
  const identityOf = (token: string): string | undefined => (sameSecret(token, approvalToken!) ? identity : undefined);
  return {
    pages,
    rules: {
      api: devApiVerifier({ identity, apiToken: apiToken! }),
      approval: sessions,
      signIn: { kind: 'token', sessions, identityOf },
    },
  };
}

function oidcVerifiers({ oidc }: Auth<'oidc'>, { tenant, rules, ...parts }: Context): Verifiers {
  const { issuers, audience, approvalClient, ...claims } = oidc;
  const trusted = issuers.map(({ issuer, jwksUri }) => ({ issuer, audience, ...(jwksUri !== null && { jwksUri }) }));
  const outside = outsideOf(parts);
  const pages = oidcVerifier({ ...claims, issuers: trusted, tenant, ...outside });
  if (!rules) return { pages, rules };
  const sessions = sessionsOf(rules, parts);
  const login =
    approvalClient &&
    browserLogin({
      issuer: issuers[0]!.issuer,
      clientId: approvalClient.id,
      ...(approvalClient.secret !== null && { clientSecret: approvalClient.secret }),
      publicUrl: rules.publicUrl,
      sessionSecret: rules.sessionSecret,
      ...outside,
    });
  const signIn: SignIn = login ? { kind: 'browser', sessions, ...login } : { kind: 'elsewhere' };
  return { pages, rules: { api: grantsOf(pages), approval: sessions, signIn } };
}

function behindAccess({ access }: Auth<'cloudflare-access'>, { tenant, rules, ...parts }: Context): Verifiers {
  const { pages, api, approval } = accessVerifiers({ tenant, ...access, ...outsideOf(parts) });
  if (!rules) return { pages, rules };
  return {
    pages,
    rules: { api, approval: approval(rules.sessionSecret, parts.grantOf), signIn: { kind: 'elsewhere' } },
  };
}

const outsideOf = ({ clock, log, fetch }: VerifierParts) => ({ clock, log, ...(fetch && { fetch }) });

const sessionsOf = ({ sessionSecret, publicUrl }: RulesSettings, { clock, grantOf }: VerifierParts) =>
  approvalSessions({ secret: sessionSecret, publicUrl, clock, grantOf });
