import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import type { Reader } from './access.ts';
import type { PagesDeps } from './deps.ts';
import type { IndexedPage, InstanceQuery, PageIndex } from './ports.ts';
import { parseAt } from './parse/at.ts';
import { ListInstancesInput, ListInstancesOutput } from './schema.ts';
import { timeAndScenario } from './visible.ts';

const TOOL = 'list_instances';
const MOST = 10_000;
const LONGEST_KEY = 500;
/** Rows read at a time, so that a small page among many hidden rows is not a query each. */
const SMALLEST_BATCH = 100;

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
    const query = {
      ...timeAndScenario(TOOL, input),
      skill: input.skill_id,
      order: orderOf(input.order_by),
      limit: Math.max(limit + 1, SMALLEST_BATCH),
      after: input.cursor === undefined ? null : afterOf(input.cursor),
      equals: equalsOf(input.frontmatter_key, input.frontmatter_value),
    };
    const rows = await readable(index, await access.reader(ctx.principal), query, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      instances: page.map(instanceRow),
      next_cursor: rows.length > limit && last ? cursorOf(last) : null,
    };
  },
});

/**
 * The first `wanted` rows of a query that the caller may read. Rows behind hidden ones are read until the page is full: a
 * cursor then never names a hidden row, and a short page never tells that there is one.
 */
async function readable(index: PageIndex, reader: Reader, query: InstanceQuery, wanted: number) {
  const found: IndexedPage[] = [];
  for (let { after } = query; ;) {
    const rows = await index.instances({ ...query, after });
    found.push(...rows.filter(row => reader.mayRead(row)));
    const last = rows.at(-1);
    if (!last || rows.length < query.limit || found.length >= wanted) return found;
    after = { at: last.at, pageId: last.pageId };
  }
}

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

/** The moment as `YYYY-MM-DD HH:MM:SS.ffffff`, empty for a row without one, and the page id (E213). */
const cursorOf = ({ at, pageId }: IndexedPage): string =>
  encodeCursor([at === null ? '' : at.replace('T', ' ').replace('Z', '000'), pageId]);

function afterOf(cursor: string): NonNullable<InstanceQuery['after']> {
  const [text, pageId] = decodeCursor(TOOL, cursor, 2);
  const at = text === '' ? null : parseAt(text);
  if (text !== '' && at === null) {
    throw new Failure('invalid_params', `${TOOL}: cursor: not a cursor of this tool`, { argument: 'cursor' });
  }
  return { at, pageId: pageId! };
}

/** Applied only when both halves are there (E207). */
function equalsOf(key: string | undefined, value: string | undefined): InstanceQuery['equals'] {
  if (!key || value === undefined) return null;
  if (key.length > LONGEST_KEY) {
    const message = `${TOOL}: frontmatter_key: longer than ${LONGEST_KEY} characters`;
    throw new Failure('invalid_params', message, { argument: 'frontmatter_key' });
  }
  return { key, value };
}
