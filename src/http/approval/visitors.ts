import type { ApprovalPerson, ApprovalVerifier, TenantGate } from '../../auth/ports.ts';
import { Failure } from '../../kernel/failure.ts';
import { askingIn } from '../asking.ts';
import { suspension } from '../suspension.ts';
import type { Ctx } from './answer.ts';
import type { Approver, ApproverOf } from './ports.ts';

/** Somebody who is signed in; without a grant they may do nothing here but sign out. */
export interface Visitor {
  readonly person: ApprovalPerson;
  readonly approver: Approver | undefined;
}

export interface VisitorParts {
  readonly verifier: ApprovalVerifier;
  readonly approverOf: ApproverOf;
  readonly tenants: TenantGate;
}

const ACCESS_JWT = 'cf-access-jwt-assertion';

/** The person behind a request; undefined when nobody is signed in. Refuses services and two credentials at once. */
export const personOf = (c: Ctx, verifier: ApprovalVerifier): Promise<ApprovalPerson | undefined> =>
  verifier.person({
    cookie: c.req.header('cookie'),
    authorization: c.req.header('authorization'),
    accessJwt: c.req.header(ACCESS_JWT),
  });

/** That person with the grant that is made out to them. Refuses everybody while the tenant is suspended. */
export async function visitorOf(c: Ctx, { verifier, approverOf, tenants }: VisitorParts): Promise<Visitor | undefined> {
  const person = await personOf(c, verifier);
  if (!person) return undefined;
  const suspended = suspension(tenants);
  if (suspended) throw suspended;
  return { person, approver: await approverOf(person.identity, askingIn(c)) };
}

/** The same where only a person with a grant gets on. */
export function approverIn(visitor: Visitor | undefined): Approver {
  if (!visitor) throw new Failure('unauthorized', 'sign in on the approval pages');
  if (!visitor.approver) throw new Failure('unauthorized', 'no grant for this credential');
  return visitor.approver;
}

/** Whether a request brings a credential in a header, which no page of ours makes a browser do. */
export const bringsCredential = (c: Ctx): boolean =>
  c.req.header('authorization') !== undefined || c.req.header(ACCESS_JWT) !== undefined;

/** Who asks, as far as an address tells. Behind a trusted proxy the last address that it names. */
export function clientAddress(c: Ctx, trustedProxy: boolean): string {
  const direct = (c.env.incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const named = trustedProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return named || direct;
}
