import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { sha256 } from '../kernel/hash.ts';
import { defineOp, type Ctx } from '../kernel/op.ts';
import type { PagePut, PageStore } from '../pages/ports.ts';
import { foldersOf, importPlan, type ImportedPage } from './import-plan.ts';
import type { PageLedger, Tarballs } from './ports.ts';
import { tenantId } from './schema.ts';
import { FOLDER } from './tenant-export.op.ts';
import { refuseForeign } from './tenant.ts';

export interface TenantImportDeps {
  /** Id of the served tenant. */
  readonly tenant: string;
  readonly ledger: PageLedger;
  readonly store: Pick<PageStore, 'head' | 'commit'>;
  readonly tarballs: Tarballs;
}

const TOOL = 'tenant_import';
/** One commit; the event loop answers others in between. */
const BATCH = 200;
const ATTEMPTS = 5;

export const tenantImport = defineOp({
  name: TOOL,
  aliases: ['import_tenant'],
  surface: 'admin',
  effect: 'write',
  execution: 'orchestration',
  scope: 'admin',
  quota: 'none',
  summary:
    'Write every page of a tenant_export as its newest version; pages it does not have stay. Searchable at once.',
  input: z.object({
    tenant_id: tenantId,
    tarball_b64: z.string().describe('As tenant_export gives it: gzipped tar, paths relative to markdown/.'),
  }),
  output: z.object({ bytes_imported: z.int().nonnegative().describe('Size of the tarball.') }),
  publishesOutput: false,
  async run({ tenant, ledger, store, tarballs }: TenantImportDeps, ctx, { tenant_id, tarball_b64 }) {
    refuseForeign(TOOL, tenant, tenant_id);
    const tarball = Buffer.from(tarball_b64, 'base64');
    if (tarball.toString('base64') !== tarball_b64.replaceAll(/\s/g, '')) throw invalid('it is not base64');
    const unpacked = await tarballs.unpack(tarball);
    if ('problem' in unpacked) throw invalid(unpacked.problem);
    const plan = importPlan(FOLDER, unpacked.entries);
    if (typeof plan === 'string') throw invalid(plan);
    await refuseBlocked(ledger, plan);
    for (let at = 0; at < plan.length; at += BATCH) {
      await writeBatch(store, ctx, plan.slice(at, at + BATCH));
      ctx.progress?.(Math.min(at + BATCH, plan.length), plan.length);
    }
    return { bytes_imported: tarball.length };
  },
});

const invalid = (problem: string): Failure =>
  new Failure('invalid_params', `${TOOL}: tarball_b64: ${problem}`, { argument: 'tarball_b64' });

/** No page can be a folder of other pages; all of it is known before the first write. */
async function refuseBlocked(ledger: PageLedger, plan: readonly ImportedPage[]): Promise<void> {
  const pages = new Set(plan.map(({ pageId }) => pageId));
  const folders = new Set(plan.flatMap(({ pageId }) => foldersOf(pageId)));
  for await (const rows of ledger.walk()) {
    for (const { pageId } of rows) {
      const clash = folders.has(pageId) ? pageId : foldersOf(pageId).find(folder => pages.has(folder));
      if (clash !== undefined) throw invalid(`${JSON.stringify(clash)} cannot be a page and a folder of pages`);
    }
  }
}

async function writeBatch(store: TenantImportDeps['store'], ctx: Ctx, pages: readonly ImportedPage[]): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const puts: PagePut[] = [];
    for (const page of pages) puts.push(...(await putOf(store, ctx, page)));
    const result = await store.commit({ puts });
    if (result.committed) return;
    if (result.blocked.length > 0) throw invalid(`${JSON.stringify(result.blocked[0])} is a folder of pages here`);
  }
  throw new Failure('failed_precondition', `${TOOL}: pages keep changing while they are imported; import again`);
}

/** Nothing for a page that has this very text, and is as archived as the text says, already. */
async function putOf(
  store: TenantImportDeps['store'],
  ctx: Ctx,
  { pageId, content }: ImportedPage,
): Promise<PagePut[]> {
  const head = await store.head(pageId);
  if (head && head.sha256 === sha256(content) && (!head.archived || head.origin !== 'agent')) return [];
  return [
    {
      pageId,
      base: head?.version ?? 0,
      content,
      author: ctx.principal.subject,
      origin: 'import',
      message: null,
      committedAt: ctx.now().toISOString(),
    },
  ];
}
