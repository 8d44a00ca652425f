import type { GrantIdentity, Principal } from '../kernel/principal.ts';
import type { EmbeddingProvider, QuotaOverrides } from './schema.ts';

/** Turns one credential into a principal, or refuses with `unauthorized` / `forbidden`. */
export interface Verifier {
  /** Raw values of the headers Authorization and Cf-Access-Jwt-Assertion, undefined when missing; two credentials are none. */
  verify(authorization: string | undefined, accessJwt?: string): Promise<Principal>;
}

/** The active grant made out to an identity. */
export type GrantOf = (identity: GrantIdentity) => Promise<{ readonly id: string } | undefined>;

/** The same for `/v1`, where a credential stands for a grant and for nothing else. Cookies are never looked at. */
export interface ApiVerifier {
  /** `authorization` and `accessJwt` are raw header values. Refuses with `unauthorized`; two credentials are none. */
  verify(authorization: string | undefined, accessJwt: string | undefined): Promise<GrantIdentity>;
}

/** A person who is signed in to the approval pages. */
export interface ApprovalPerson {
  /** Lower-case e-mail. */
  readonly identity: string;
  /** What every form and script of this person sends back (contract 5.3). */
  readonly csrf: string;
}

/** Who is behind a request to the approval pages, by cookie or, behind Access, by its header; never by a bearer. */
export interface ApprovalVerifier {
  /** Undefined: not signed in. Refuses with `unauthorized` when two credentials come at once. */
  person(headers: {
    readonly cookie: string | undefined;
    readonly authorization: string | undefined;
    readonly accessJwt: string | undefined;
  }): Promise<ApprovalPerson | undefined>;
  /** Constant-time; `given` is the field or header `csrf`. */
  csrfHolds(person: ApprovalPerson, given: string | undefined): boolean;
}

export interface GroupMember {
  readonly group_id: string;
  readonly subject: string;
  /** RFC 3339, UTC. */
  readonly added_at: string;
  readonly added_by: string;
}

/** Canonical membership rows (E428-E430). Adapters pass test/contracts/group-members.ts. Every change is durable when its promise resolves. */
export interface GroupMembers {
  /** A repeat keeps `added_at` and updates `added_by`. */
  add(member: GroupMember): Promise<void>;
  /** Removing an absent row is no error. */
  remove(groupId: string, subject: string): Promise<void>;
  /** By added_at, then subject. */
  list(groupId: string): Promise<readonly GroupMember[]>;
  /** The groups a subject is in, as of now (E416). */
  groupsOf(subject: string): Promise<readonly string[]>;
  /** Removes every row. */
  clear(): Promise<void>;
}

export type TenantStatus = 'active' | 'suspended';

export interface TenantSettings {
  /** Empty until an admin names the tenant. */
  readonly display_name: string;
  readonly status: TenantStatus;
  /** Over the built-in defaults; `{}` is none. */
  readonly quotas: QuotaOverrides;
  /** Absent until an admin chooses one. */
  readonly embedding_provider?: EmbeddingProvider;
}

/** Whether the tenant is served at the moment. Asked on every call: it answers from memory. */
export interface TenantGate {
  suspended(): boolean;
}

/** Settings of the one served tenant. They survive a restart (E084). Adapters pass test/contracts/tenant-store.ts. */
export interface TenantStore {
  /** Before the first write: no name, active, no overrides, no provider. */
  read(): Promise<TenantSettings>;
  /** Replaces all of it; durable when its promise resolves. */
  write(settings: TenantSettings): Promise<void>;
}
