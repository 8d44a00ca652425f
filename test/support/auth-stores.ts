import type { GroupMembers, TenantStore } from '../../src/auth/ports.ts';
import { openWorld } from '../storage/world.ts';

/** Membership rows and tenant settings of a real store in a temporary folder. */
export interface AuthStores {
  readonly members: GroupMembers;
  readonly tenant: TenantStore;
  /** Further writes are rejected. */
  close(): Promise<void>;
}

export async function openAuthStores(): Promise<AuthStores> {
  const { storage, end } = await openWorld();
  return { members: storage.groups, tenant: storage.tenants, close: end };
}
