import { z } from 'zod';
import { sha256 } from '../kernel/hash.ts';
import { defineOp } from '../kernel/op.ts';
import type { PageStore } from '../pages/ports.ts';
import type { PageLedger, Tarballs, TarEntry } from './ports.ts';
import { tenantId } from './schema.ts';
import { refuseForeign } from './tenant.ts';

export interface TenantExportDeps {
  /** Id of the served tenant. */
  readonly tenant: string;
  readonly ledger: PageLedger;
  readonly store: Pick<PageStore, 'head'>;
  readonly tarballs: Tarballs;
}

/** Paths in the tarball are relative to it (E676). */
export const FOLDER = 'markdown/';
const FORMAT_VERSION = 1;
const NAMED = 20;

export const tenantExport = defineOp({
  name: 'tenant_export',
  aliases: ['export_tenant'],
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary:
    'The newest markdown of every page below markdown/, archived ones too, as a gzipped tar. Same pages, same bytes.',
  input: z.object({ tenant_id: tenantId }),
  output: z.object({
    format_version: z.int(),
    tarball_b64: z.string(),
    bytes: z.int().describe('Size of the tarball.'),
    sha256: z.string().describe('Of the tarball, lower-case hex.'),
  }),
  publishesOutput: false,
  async run({ tenant, ledger, store, tarballs }: TenantExportDeps, ctx, { tenant_id }) {
    refuseForeign('tenant_export', tenant, tenant_id);
    const ids: string[] = [];
    for await (const rows of ledger.walk()) for (const { pageId, stored } of rows) if (stored) ids.push(pageId);
    const left = ids.filter(pageId => !pageId.startsWith(FOLDER)).sort();
    if (left.length > 0) ctx.note('not_exported', { pages: left.length, first: left.slice(0, NAMED) });
    const entries: TarEntry[] = [];
    for (const pageId of ids.filter(id => id.startsWith(FOLDER)).sort()) {
      const head = await store.head(pageId);
      if (head) entries.push({ path: pageId.slice(FOLDER.length), data: Buffer.from(head.content) });
    }
    const tarball = await tarballs.pack(entries);
    return {
      format_version: FORMAT_VERSION,
      tarball_b64: Buffer.from(tarball).toString('base64'),
      bytes: tarball.length,
      sha256: sha256(tarball),
    };
  },
});
