import { z } from 'zod';
import type { JsonObject } from '../kernel/json.ts';
import { defineOp } from '../kernel/op.ts';
import { resolveTarget } from '../pages/index.ts';
import type { PageIndex } from '../pages/ports.ts';
import { TABLES, type IndexTables } from './ports.ts';
import { COLUMNS } from './table-columns.ts';

export interface AdminIndexQueryDeps {
  readonly tables: IndexTables;
  readonly index: Pick<PageIndex, 'bySlug'>;
}

const DEFAULT = 100;
const MOST = 1000;

export const adminIndexQuery = defineOp({
  name: 'admin_index_query',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'The first rows of one table of the index, by page id, with the names and types of its columns.',
  input: z.object({
    table: z.enum(TABLES),
    limit: z.int().default(DEFAULT).describe(`Rows at the most: 1 to ${MOST}, ${DEFAULT} without it.`),
  }),
  output: z.object({
    rows: z.array(z.record(z.string(), z.unknown())),
    schema: z.array(z.object({ name: z.string(), type: z.string() })),
  }),
  publishesOutput: false,
  async run({ tables, index }: AdminIndexQueryDeps, ctx, { table, limit }) {
    const taken = Math.min(Math.max(limit, 1), MOST);
    if (taken !== limit) ctx.note('limit', taken);
    const rows = await tables.rows(table, taken);
    const wire = table === 'links' ? await Promise.all(rows.map(row => withTarget(index, row))) : rows;
    return { rows: wire.map(row => inOrder(table, row)), schema: COLUMNS[table].map(column => ({ ...column })) };
  },
});

/** As `neighbours` has it: the id of the page when there is one, else the text of the link (deviations, E255). */
async function withTarget(index: AdminIndexQueryDeps['index'], row: JsonObject): Promise<JsonObject> {
  const { target, link_skill, scenario } = row as { target: string; link_skill: string; scenario: string | null };
  const page = await resolveTarget(index, { skill: link_skill === '' ? null : link_skill, id: target }, scenario);
  return { ...row, dst_page: page?.pageId ?? target };
}

const inOrder = (table: keyof typeof COLUMNS, row: JsonObject): JsonObject =>
  Object.fromEntries(COLUMNS[table].map(({ name }) => [name, row[name] ?? null]));
