import type { TenantSettings, TenantStore } from '../../../auth/ports.ts';
import { UNTOUCHED_TENANT } from '../../../auth/schema.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Settings of the served tenant in state.sqlite (E084). */
export function tenantStore(db: Db, group: GroupCommit): TenantStore {
  const read = db.prepare<[], { value: string }>(`SELECT value FROM tenant_setting WHERE name = 'settings'`);
  const write = db.prepare<[string]>(
    `INSERT INTO tenant_setting (name, value) VALUES ('settings', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  return {
    async read() {
      const row = read.get();
      return row ? (JSON.parse(row.value) as TenantSettings) : UNTOUCHED_TENANT;
    },
    write: settings => group.run(() => void write.run(JSON.stringify(settings))),
  };
}
