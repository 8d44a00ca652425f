/** The verbs an acl block grants (pages contract, "Group ACL"). */
export const VERBS = ['read', 'create', 'update', 'delete'] as const;
export type Verb = (typeof VERBS)[number];

/** Groups per verb; a verb that is missing falls through to the next block. */
export type Acl = { readonly [verb in Verb]?: readonly string[] };

/** A page's own access block: readable, absent, or there but unreadable (then nobody but an admin passes it). */
export type AclBlock = Acl | 'closed' | null;

/** Groups that no claim and no membership row can grant. */
export const RESERVED_GROUPS = ['public', 'owner', 'admin'] as const;

export type WriteAclMode = 'off' | 'log' | 'enforce';

export interface QuotaLimits {
  readonly queries_per_minute: number;
  readonly writes_per_minute: number;
  readonly embeds_per_minute: number;
  readonly concurrent_sessions: number;
  readonly max_blob_bytes: number;
}

/** Limits of a tenant without overrides (E063). Rates are per minute. */
export const DEFAULT_QUOTAS: QuotaLimits = {
  queries_per_minute: 600,
  writes_per_minute: 120,
  embeds_per_minute: 300,
  concurrent_sessions: 32,
  max_blob_bytes: 26_214_400,
};

export type QuotaOverrides = { readonly [key in keyof QuotaLimits]?: number | undefined };

/** The pages a caller may read, as data, so that every lane can filter by itself (architecture 5). */
export interface ReadScope {
  /** Admins: no filter at all. */
  readonly all: boolean;
  /** Access classes readable outright. */
  readonly allowed: readonly number[];
  /** Access classes readable by the owner only, with the frontmatter field that names the owner. */
  readonly owned: readonly { readonly accessClass: number; readonly ownerField: string }[];
  /** Values of that field that mean this caller, as `ownerKey` of auth/owner.ts writes them. */
  readonly ownerKeys: readonly string[];
}

/** A tenant that no admin has set anything for. */
export const UNTOUCHED_TENANT = { display_name: '', status: 'active', quotas: {} } as const;

/** Embedding providers a tenant may be set to (pages contract, tenant_update), and the default to go back to. */
export const EMBEDDING_PROVIDERS = ['zero', 'hash', 'gemini', 'embeddinggemma'] as const;
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];
