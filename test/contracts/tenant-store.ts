import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TenantSettings, TenantStore } from '../../src/auth/ports.ts';

/** One adapter on storage of its own. `reopen` comes back as after a restart of the process; the old one is not used again. */
export interface OpenTenantStore {
  readonly store: TenantStore;
  reopen(): Promise<TenantStore>;
  close(): Promise<void>;
}

const FULL: TenantSettings = {
  display_name: 'Müller & Söhne "Maschinenbau" 😀',
  status: 'suspended',
  quotas: {
    queries_per_minute: 1,
    writes_per_minute: 2,
    embeds_per_minute: 3,
    concurrent_sessions: 4,
    max_blob_bytes: 8_589_934_592,
  },
  embedding_provider: 'embeddinggemma',
};

/** What every TenantStore adapter must do. `open` starts without any settings. */
export function tenantStoreContract(adapter: string, open: () => Promise<OpenTenantStore>): void {
  describe(`tenant settings on ${adapter}`, () => {
    let opened: OpenTenantStore;
    let store: TenantStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close());

    test('[AD1] before the first write the tenant is active, unnamed and without overrides', async () => {
      expect(await store.read()).toEqual({ display_name: '', status: 'active', quotas: {} });
    });

    test('[AD2] settings are read as they were written', async () => {
      await store.write(FULL);
      expect(await store.read()).toEqual(FULL);
    });

    test('[AD2] a write replaces everything', async () => {
      await store.write(FULL);
      const next: TenantSettings = { display_name: '', status: 'active', quotas: { writes_per_minute: 7 } };
      await store.write(next);
      expect(await store.read()).toEqual(next);
      expect(Object.keys(await store.read())).not.toContain('embedding_provider');
    });

    test('[AD2] acknowledged settings are there after a restart', async () => {
      await store.write({ display_name: 'first', status: 'active', quotas: {} });
      await store.write(FULL);
      expect(await (await opened.reopen()).read()).toEqual(FULL);
    });
  });
}
