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

interface Bucket {
  perMinute: number;
  /** In units of which one call costs `CALL` and a millisecond brings `perMinute`: whole numbers, so nothing is rounded. */
  level: number;
  /** Milliseconds since 1970 of the last refill. */
  at: number;
}

type Buckets = { readonly [dimension in QuotaDimension]: Bucket };

const CALL = 60_000;
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
    const at = clock().getTime();
    const full = (perMinute: number): Bucket => ({ perMinute, level: perMinute * CALL, at });
    const made = {
      queries: full(limits.queries_per_minute),
      writes: full(limits.writes_per_minute),
      embeds: full(limits.embeds_per_minute),
    };
    tenants.set(tenant, made);
    return made;
  }

  function refill(bucket: Bucket): void {
    const now = clock().getTime();
    const passed = now - bucket.at;
    bucket.at = now;
    if (passed > 0) bucket.level = Math.min(bucket.perMinute * CALL, bucket.level + passed * bucket.perMinute);
  }

  function left(bucket: Bucket): number {
    refill(bucket);
    return Math.floor(bucket.level / CALL);
  }

  function reset(bucket: Bucket, perMinute: number): void {
    bucket.perMinute = perMinute;
    bucket.level = perMinute * CALL;
    bucket.at = clock().getTime();
  }

  return {
    debit(tenant, dimension) {
      const bucket = bucketsOf(tenant)[dimension];
      refill(bucket);
      if (bucket.level < CALL) return { ok: false, retryAfterMs: Math.ceil((CALL - bucket.level) / bucket.perMinute) };
      bucket.level -= CALL;
      return OK;
    },
    remaining(tenant) {
      const { queries, writes, embeds } = bucketsOf(tenant);
      return { queries: left(queries), writes: left(writes), embeds: left(embeds) };
    },
    setLimits(tenant, overrides) {
      const { queries, writes, embeds } = bucketsOf(tenant);
      reset(queries, overrides.queries_per_minute ?? limits.queries_per_minute);
      reset(writes, overrides.writes_per_minute ?? limits.writes_per_minute);
      reset(embeds, overrides.embeds_per_minute ?? limits.embeds_per_minute);
    },
  };
}
