import type { Debit, QuotaDimension, Quotas } from '../../src/auth/index.ts';
import type { QuotaLimits, QuotaOverrides } from '../../src/auth/schema.ts';

/** Calls left in sixty-thousandths, exactly. */
interface Bucket {
  readonly rate: bigint;
  left: bigint;
}

const CALL = 60_000n;
const DIMENSIONS = ['queries', 'writes', 'embeds'] as const;

/** The rules of quotas in whole numbers of any size, told about time instead of asking a clock. */
export function quotaModel(limits: QuotaLimits): Quotas & { wait(ms: number): void } {
  const buckets = new Map<string, Bucket>();

  function bucket(tenant: string, dimension: QuotaDimension): Bucket {
    const key = `${tenant} ${dimension}`;
    if (!buckets.has(key)) setLimits(tenant, {});
    return buckets.get(key)!;
  }

  function setLimits(tenant: string, overrides: QuotaOverrides): void {
    for (const dimension of DIMENSIONS) {
      const rate = BigInt(overrides[`${dimension}_per_minute`] ?? limits[`${dimension}_per_minute`]);
      buckets.set(`${tenant} ${dimension}`, { rate, left: rate * CALL });
    }
  }

  return {
    setLimits,
    debit(tenant, dimension): Debit {
      const asked = bucket(tenant, dimension);
      const missing = CALL - asked.left;
      if (missing > 0n) return { ok: false, retryAfterMs: Number((missing + asked.rate - 1n) / asked.rate) };
      asked.left -= CALL;
      return { ok: true };
    },
    remaining(tenant) {
      const left = (dimension: QuotaDimension) => Number(bucket(tenant, dimension).left / CALL);
      return { queries: left('queries'), writes: left('writes'), embeds: left('embeds') };
    },
    wait(ms) {
      for (const each of buckets.values()) {
        const grown = each.left + each.rate * BigInt(Math.max(0, ms));
        each.left = grown > each.rate * CALL ? each.rate * CALL : grown;
      }
    },
  };
}
