import { adminAudit, type AdminAuditDeps } from '../admin/admin-audit.op.ts';
import { adminIndexQuery } from '../admin/admin-index-query.op.ts';
import { adminLaneBlob } from '../admin/admin-lane-blob.op.ts';
import { adminLaneKeys } from '../admin/admin-lane-keys.op.ts';
import { adminListLanes } from '../admin/admin-list-lanes.op.ts';
import { adminQuota } from '../admin/admin-quota.op.ts';
import { embeddingReload } from '../admin/embedding-reload.op.ts';
import { embeddingStatus } from '../admin/embedding-status.op.ts';
import { explainAccessOp } from '../admin/explain-access.op.ts';
import type { EmbeddingAdmin, IndexTables, PageLedger, RebuildIndex, Tarballs } from '../admin/ports.ts';
import { rebuild } from '../admin/rebuild.op.ts';
import { tenantCreate } from '../admin/tenant-create.op.ts';
import { tenantDelete } from '../admin/tenant-delete.op.ts';
import { tenantExport } from '../admin/tenant-export.op.ts';
import { tenantGet } from '../admin/tenant-get.op.ts';
import { tenantImport } from '../admin/tenant-import.op.ts';
import { tenantList } from '../admin/tenant-list.op.ts';
import { tenantUpdate } from '../admin/tenant-update.op.ts';
import type { Tenant } from '../admin/index.ts';
import { addGroupMember } from '../auth/add-group-member.op.ts';
import type { Quotas } from '../auth/index.ts';
import { listGroupMembers } from '../auth/list-group-members.op.ts';
import type { GroupMembers } from '../auth/ports.ts';
import { removeGroupMember } from '../auth/remove-group-member.op.ts';
import { withDeps, type BoundOp } from '../kernel/op.ts';
import { expand } from '../pages/expand.op.ts';
import type { PagesDeps } from '../pages/index.ts';
import { diffPage } from '../pages/history/diff-page.op.ts';
import { listSnapshots } from '../pages/history/list-snapshots.op.ts';
import { restorePage } from '../pages/history/restore-page.op.ts';
import type { FileLane } from '../pages/lanes/ports.ts';
import { deletePage } from '../pages/lifecycle/delete-page.op.ts';
import { movePage } from '../pages/lifecycle/move-page.op.ts';
import { purgePage } from '../pages/lifecycle/purge-page.op.ts';
import { listInstances } from '../pages/list-instances.op.ts';
import { listSkills } from '../pages/list-skills.op.ts';
import { neighbours } from '../pages/neighbours.op.ts';
import { patchPage } from '../pages/parts/patch-page.op.ts';
import { provenanceAncestry } from '../pages/provenance/ancestry.op.ts';
import { provenanceReport } from '../pages/provenance/report.op.ts';
import { resolve } from '../pages/resolve.op.ts';
import { search } from '../pages/search.op.ts';
import { updatePage } from '../pages/update-page.op.ts';
import { validate } from '../pages/validate.op.ts';
import { publishedWithin } from './published-within.ts';

export { agentRules } from './agent-rules.ts';

/** Every tool of pages that an agent can call. */
export function agentOps(pages: PagesDeps): BoundOp[] {
  return [
    withDeps(listSkills, pages),
    withDeps(listInstances, pages),
    withDeps(resolve, pages),
    withDeps(expand, pages),
    withDeps(neighbours, pages),
    withDeps(listSnapshots, pages),
    withDeps(diffPage, pages),
    withDeps(provenanceAncestry, pages),
    withDeps(provenanceReport, pages),
    withDeps(search, pages),
    withDeps(validate, pages),
    withDeps(updatePage, pages),
    withDeps(patchPage, pages),
    withDeps(deletePage, pages),
    withDeps(movePage, pages),
    withDeps(restorePage, pages),
  ];
}

export interface AdminParts {
  readonly pages: PagesDeps;
  readonly tenant: Tenant;
  readonly quotas: Quotas;
  readonly members: GroupMembers;
  readonly storage: {
    readonly lanes: { readonly pages: FileLane; up(): boolean; missing(): number };
    readonly ledger: PageLedger;
    readonly tables: IndexTables;
    readonly rebuild: RebuildIndex;
    whenDrained(): Promise<void>;
  };
  readonly tarballs: Tarballs;
  readonly embeddings: EmbeddingAdmin;
  /** Gives an empty tenant its meta-skill. */
  readonly plant: () => Promise<void>;
  readonly onDrift: AdminAuditDeps['onDrift'];
}

/** What the admin role adds. */
export function adminOps({
  pages,
  tenant,
  quotas,
  members,
  storage,
  tarballs,
  embeddings,
  plant,
  onDrift,
}: AdminParts): BoundOp[] {
  const { lanes, ledger, tables } = storage;
  const files = lanes.pages;
  const published = publishedWithin(storage);
  return [
    withDeps(purgePage, pages),
    withDeps(tenantCreate, { tenant }),
    withDeps(tenantList, { tenant }),
    withDeps(tenantDelete, { tenant, ledger, store: pages.store, members, plant }),
    withDeps(tenantExport, { tenant: tenant.id, ledger, store: pages.store, tarballs }),
    withDeps(tenantImport, { tenant: tenant.id, ledger, store: pages.store, tarballs }),
    withDeps(tenantGet, { tenant }),
    withDeps(tenantUpdate, { tenant }),
    withDeps(adminQuota, { tenant: tenant.id, quotas, sessionsInUse: () => 0 }),
    withDeps(adminAudit, {
      tenant: tenant.id,
      lane: files,
      ledger,
      publishing: lanes.up,
      missing: lanes.missing,
      onDrift,
    }),
    withDeps(rebuild, { tenant: tenant.id, rebuild: storage.rebuild }),
    withDeps(embeddingReload, { embeddings }),
    withDeps(embeddingStatus, { embeddings }),
    withDeps(adminIndexQuery, { tables, index: pages.index }),
    withDeps(adminListLanes, { tenant: tenant.id, backend: 'fs' }),
    withDeps(adminLaneKeys, { files, published }),
    withDeps(adminLaneBlob, { files, published }),
    withDeps(explainAccessOp, pages),
    withDeps(addGroupMember, { members }),
    withDeps(removeGroupMember, { members }),
    withDeps(listGroupMembers, { members }),
  ];
}
