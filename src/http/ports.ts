import type { z } from 'zod';
import type { Failure } from '../kernel/failure.ts';
import type { GrantIdentity } from '../kernel/principal.ts';

/** Rate buckets of the tenants. `debit` takes one token; a refusal says when the next one is there (E064-E067). */
export interface Quotas {
  debit(
    tenant: string,
    dimension: 'queries' | 'writes',
  ): { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };
}

/** Whether one part of the server is up. A throw or no answer within two seconds counts as down (E695). */
export type Probe = () => boolean | Promise<boolean>;

/** One capability of the rules surface on the routes of `/v1`, by the name of its op. */
export interface ApiOp {
  readonly name: string;
  readonly summary: string;
  readonly input: z.ZodObject;
}

/** A caller with an active grant. */
export interface RuleCaller {
  readonly grantId: string;
  /**
   * Calls an op by name with input as it was sent. Refuses with a Failure of the rules surface; where `signal` fires ahead of the
   * answer, with its reason.
   */
  call(
    op: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<{ readonly status: 200 | 201; readonly output: object }>;
}

/** The rules surface as transports see it. Grants are looked up at every call, since they can be disabled at any time. */
export interface RulesAccess {
  /** Why an identity has no business on a channel: `unauthorized` without a grant, `channel-not-allowed` as a service. */
  refusal(identity: GrantIdentity | undefined, channel: 'mcp' | 'api'): Promise<Failure | undefined>;
  /** The caller on `/v1`, one request taken off its limit. Refuses as `refusal` says, and with `rate-limited`. */
  enter(identity: GrantIdentity): Promise<RuleCaller>;
  /** What the routes of `/v1` call. */
  readonly api: readonly ApiOp[];
}

export interface SiteFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Content-Type. */
  readonly type: string;
}

/** What a static site answers to the path of a GET, as it came; undefined when it has nothing. */
export type Site = (path: string) => Promise<SiteFile | undefined>;
