import { createBucket, type Bucket } from '../kernel/bucket.ts';
import type { Clock } from '../kernel/clock.ts';
import { DEFAULT_QUOTAS, type QuotaLimits, type QuotaOverrides } from './schema.ts';

export type QuotaDimension = 'queries' | 'writes' | 'embeds';

export type Debit = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** Whole calls (for `embeds`: blocks) that would be let through right now. */
export type QuotaRemaining = { readonly [dimension in QuotaDimension]: number };

export interface Quotas {
  /** Takes one from a bucket, or says in how many milliseconds one will be there (E065-E067). */
  debit(tenant: string, dimension: QuotaDimension): Debit;
  remaining(tenant: string): QuotaRemaining;
  /** Lays overrides over the defaults, not over earlier overrides, and fills the tenant's buckets (E085). */
  setLimits(tenant: string, overrides: QuotaOverrides): void;
}

type Buckets = { readonly [dimension in QuotaDimension]: Bucket };

const MINUTE_MS = 60_000;
const OK: Debit = { ok: true };

/**
 * Token buckets per tenant and dimension, full at the start and refilled continuously (E063, E064, E071, E073). Kept in memory:
 * a restart fills them (E084). A clock that goes back brings nothing and takes nothing.
 */
export function createQuotas({ clock, limits = DEFAULT_QUOTAS }: { clock: Clock; limits?: QuotaLimits }): Quotas {
  const tenants = new Map<string, Buckets>();

  function bucketsOf(tenant: string): Buckets {
    const known = tenants.get(tenant);
    if (known) return known;
    const full = (perMinute: number): Bucket => createBucket(clock, perMinute, MINUTE_MS);
    const made = {
      queries: full(limits.queries_per_minute),
      writes: full(limits.writes_per_minute),
      embeds: full(limits.embeds_per_minute),
    };
    tenants.set(tenant, made);
    return made;
  }

  return {
    debit(tenant, dimension) {
      const retryAfterMs = bucketsOf(tenant)[dimension].take();
      return retryAfterMs === 0 ? OK : { ok: false, retryAfterMs };
    },
    remaining(tenant) {
      const { queries, writes, embeds } = bucketsOf(tenant);
      return { queries: queries.left(), writes: writes.left(), embeds: embeds.left() };
    },
    setLimits(tenant, overrides) {
      const { queries, writes, embeds } = bucketsOf(tenant);
      queries.reset(overrides.queries_per_minute ?? limits.queries_per_minute);
      writes.reset(overrides.writes_per_minute ?? limits.writes_per_minute);
      embeds.reset(overrides.embeds_per_minute ?? limits.embeds_per_minute);
    },
  };
}
