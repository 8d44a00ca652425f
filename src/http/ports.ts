/** Rate buckets of the tenants. `debit` takes one token; a refusal says when the next one is there (E064-E067). */
export interface Quotas {
  debit(
    tenant: string,
    dimension: 'queries' | 'writes',
  ): { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };
}

/** Whether one part of the server is up. A throw or no answer within two seconds counts as down (E695). */
export type Probe = () => boolean | Promise<boolean>;
