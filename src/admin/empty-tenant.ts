import type { GroupMembers } from '../auth/ports.ts';
import { Failure } from '../kernel/failure.ts';
import type { PagePurge, PageStore } from '../pages/ports.ts';
import type { PageLedger } from './ports.ts';
import type { Tenant } from './tenant.ts';

export interface TenantData {
  readonly tenant: Tenant;
  readonly ledger: PageLedger;
  readonly store: Pick<PageStore, 'head' | 'commit'>;
  readonly members: Pick<GroupMembers, 'clear'>;
  /** Gives an empty tenant what every tenant has (E159). */
  readonly plant: () => Promise<void>;
}

const AT_ONCE = 200;
/** Others may go on writing; whoever never stops keeps some of it. */
const PASSES = 10;

/**
 * Purges every page with its history and file, empties the groups and forgets the settings. Refuses with
 * `failed_precondition` when others write faster than that; what is purged by then stays so.
 */
export async function emptyTenant(data: TenantData, now: () => Date): Promise<void> {
  const { tenant, store, members, plant } = data;
  let left = true;
  for (let pass = 0; left && pass < PASSES; pass++) {
    left = false;
    for await (const batch of storedPages(data)) {
      left = true;
      const committedAt = now().toISOString();
      const purges: PagePurge[] = batch.map(({ pageId, base }) => ({ pageId, base, committedAt }));
      await store.commit({ puts: [], purges });
    }
  }
  if (left)
    throw new Failure('failed_precondition', 'tenant_delete: pages are being written; suspend the tenant first');
  await members.clear();
  await tenant.forget();
  await plant();
}

/** Every page that there is, archived ones too, with the version it is at. */
async function* storedPages({ ledger, store }: TenantData) {
  let batch: { pageId: string; base: number }[] = [];
  for await (const rows of ledger.walk()) {
    for (const { pageId, stored } of rows) {
      const head = stored && (await store.head(pageId));
      if (head) batch.push({ pageId, base: head.version });
      if (batch.length === AT_ONCE) {
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}
