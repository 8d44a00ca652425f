import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { auditPages, type AuditDeps, type Drift } from './audit.ts';
import { tenantId } from './schema.ts';
import { refuseForeign } from './tenant.ts';

export interface AdminAuditDeps extends AuditDeps {
  /** Id of the served tenant. */
  readonly tenant: string;
  /** Hears of how many pages each category has. */
  readonly onDrift: (category: keyof Drift, pages: number) => void;
  /** How many pages are kept although their files are missing, since very many are. */
  readonly missing: () => number;
}

export const adminAudit = defineOp({
  name: 'admin_audit',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'Where files, page store and index do not agree, as page ids. rebuild mends it.',
  input: z.object({ tenant_id: tenantId }),
  output: z.object({
    markdown_not_in_duckdb: z.array(z.string()).describe('Markdown whose newest text the index does not hold.'),
    indexed_but_no_markdown: z
      .array(z.string())
      .describe('Rows of the index without a page, pages without their file.'),
  }),
  publishesOutput: false,
  async run(deps: AdminAuditDeps, ctx, { tenant_id }) {
    refuseForeign('admin_audit', deps.tenant, tenant_id);
    const drift = await auditPages(deps);
    for (const category of ['markdown_not_in_duckdb', 'indexed_but_no_markdown'] as const) {
      deps.onDrift(category, drift[category].length);
    }
    const missing = deps.missing();
    if (missing > 0) ctx.note('deletions_held', missing);
    return {
      markdown_not_in_duckdb: [...drift.markdown_not_in_duckdb],
      indexed_but_no_markdown: [...drift.indexed_but_no_markdown],
    };
  },
});
