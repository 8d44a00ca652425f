import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import type { IndexedPage, InstanceQuery } from './ports.ts';
import { ListInstancesInput, ListInstancesOutput } from './schema.ts';
import { timeAndScenario } from './visible.ts';

const TOOL = 'list_instances';
const MOST = 10_000;

export const listInstances = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'List the instances of one skill, by page id or by time, a page at a time.',
  input: ListInstancesInput,
  argumentAliases: { skill: 'skill_id' },
  output: ListInstancesOutput,
  publishesOutput: true,
  async run({ index, access }: Pick<PagesDeps, 'index' | 'access'>, ctx, input) {
    const limit = Math.min(Math.max(input.limit ?? MOST, 1), MOST);
    if ((input.limit ?? 0) > MOST) ctx.note('limit', MOST);
    const reader = await access.reader(ctx.principal);
    const rows = await index.instances({
      ...timeAndScenario(TOOL, input),
      skill: input.skill_id,
      order: orderOf(input.order_by),
      limit: limit + 1,
      after: input.cursor === undefined ? null : afterOf(input.cursor),
      equals: equalsOf(input.frontmatter_key, input.frontmatter_value),
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      instances: page.filter(row => reader.mayRead(row)).map(instanceRow),
      next_cursor: rows.length > limit && last ? encodeCursor([last.at ?? '', last.pageId]) : null,
    };
  },
});

function instanceRow(row: IndexedPage) {
  const at = row.frontmatter.at;
  return {
    page_id: row.pageId,
    skill: row.skill,
    frontmatter: row.frontmatter,
    at: typeof at === 'string' || typeof at === 'number' ? String(at) : null,
  };
}

/** E201-E203, with the deviation that an unknown order is refused. */
function orderOf(text: string | undefined): InstanceQuery['order'] {
  if (text === undefined || text.trim() === '') return 'page_id';
  const order = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/gu, '_');
  if (order === 'at_asc' || order === 'at_desc') return order;
  throw new Failure('invalid_params', `${TOOL}: order_by: use "at asc" or "at desc"`, { argument: 'order_by' });
}

function afterOf(cursor: string): NonNullable<InstanceQuery['after']> {
  const [at, pageId] = decodeCursor(TOOL, cursor, 2);
  return { at: at === '' ? null : at!, pageId: pageId! };
}

/** Applied only when both halves are there (E207). */
function equalsOf(key: string | undefined, value: string | undefined): InstanceQuery['equals'] {
  return key && value !== undefined ? { key, value } : null;
}
