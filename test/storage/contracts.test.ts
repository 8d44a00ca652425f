import { groupMembersContract } from '../contracts/group-members.ts';
import { lexicalLaneContract } from '../contracts/lexical-lane.ts';
import { pageIndexContract } from '../contracts/page-index.ts';
import { pageLifeContract } from '../contracts/page-life.ts';
import { pageStoreContract } from '../contracts/page-store.ts';
import { tenantStoreContract } from '../contracts/tenant-store.ts';
import type { Storage } from '../../src/storage/sqlite/index.ts';
import { openWorld } from './world.ts';

const ADAPTER = 'SQLite';

/** One part of a store, in the form the suites ask for. */
async function opened<T>(
  part: (storage: Storage) => T,
): Promise<{ first: T; reopen(): Promise<T>; close(): Promise<void> }> {
  let world = await openWorld();
  return {
    first: part(world.storage),
    async reopen() {
      world = await world.reopen();
      return part(world.storage);
    },
    close: () => world.end(),
  };
}

pageStoreContract(ADAPTER, async () => {
  const { first, ...rest } = await opened(({ pages, index, lexical }) => ({ store: pages, index, lexical }));
  return { ...first, ...rest };
});

pageLifeContract(ADAPTER, async () => {
  const { first, ...rest } = await opened(({ pages, index, lexical }) => ({ store: pages, index, lexical }));
  return { ...first, ...rest };
});

groupMembersContract(ADAPTER, async () => {
  const { first, ...rest } = await opened(({ groups }) => groups);
  return { members: first, ...rest };
});

tenantStoreContract(ADAPTER, async () => {
  const { first, ...rest } = await opened(({ tenants }) => tenants);
  return { store: first, ...rest };
});

pageIndexContract(ADAPTER, async () => {
  const { first, close } = await opened(({ pages, index }) => ({ store: pages, index }));
  return { ...first, close };
});

lexicalLaneContract(ADAPTER, async () => {
  const { first, close } = await opened(({ pages, index, lexical }) => ({ store: pages, index, lexical }));
  return { ...first, close };
});
