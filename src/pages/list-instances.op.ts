import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { parseFilter } from '../search/index.ts';
import { headerPasses } from './history/header-filter.ts';
import type { PastDeps } from './history/past.ts';
import { viewer, type Viewer } from './history/viewer.ts';
import { parseAt } from './parse/at.ts';
import type { IndexedPage, InstanceQuery, PageIndex, Place } from './ports.ts';
import { ListInstancesInput, ListInstancesOutput } from './schema.ts';
import { timeAndScenario } from './visible.ts';

const TOOL = 'list_instances';
const MOST = 10_000;
const LONGEST_KEY = 500;
/** Rows read at a time under a time cut, so that a small page among many that were not there then is not a query each. */
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
  async run(deps: PastDeps, ctx, input) {
    const limit = Math.min(Math.max(input.limit ?? MOST, 1), MOST);
    if ((input.limit ?? 0) > MOST) ctx.note('limit', MOST);
    const { clauses, problems } = parseFilter(input.filter ?? {});
    if (problems.length > 0) {
      const issues = problems.map(problem => ({ severity: 'error' as const, ...problem }));
      return { instances: [], next_cursor: null, issues };
    }
    const view = timeAndScenario(TOOL, input);
    const { scope } = await deps.access.reader(ctx.principal);
    const query = {
      ...view,
      scope,
      clauses,
      skill: input.skill_id,
      order: orderOf(input.order_by),
      limit: limit + 1,
      after: input.cursor === undefined ? null : afterOf(input.cursor),
      equals: equalsOf(input.frontmatter_key, input.frontmatter_value),
    };
    const rows =
      view.asOf === null
        ? await deps.index.instances(query)
        : await then(deps.index, await viewer(deps, ctx.principal, view), { ...query, asOf: view.asOf });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      instances: page.map(instanceRow),
      next_cursor: rows.length > limit && last ? cursorOf(last) : null,
    };
  },
});

/**
 * The first `limit` rows as they were at a moment. Rows behind those that were not there then are read until the page is full:
 * no cursor names one of them, and no short page tells that there is one.
 */
async function then(
  index: PageIndex,
  seeing: Viewer,
  query: InstanceQuery & { readonly asOf: string },
): Promise<IndexedPage[]> {
  const rows: IndexedPage[] = [];
  const limit = Math.max(query.limit, SMALLEST_BATCH);
  for (let { after } = query; ;) {
    const places = await index.instancesThen({ ...query, after, limit });
    for (const place of places) {
      const seen = await (place.row ? seeing.see(place.row) : seeing.was(place.pageId));
      if (seen && isAsked(seen, query, place) && (await standsForItsSlug(seen, seeing))) rows.push(seen);
      if (rows.length === query.limit) return rows;
    }
    after = places.at(-1) ?? null;
    if (!after || places.length < limit) return rows;
    // Reading what many pages were takes a while, and others are waiting.
    await new Promise(resolve => setTimeout(resolve));
  }
}

/** By time a page has a place for each that it ever had: only that of the moment counts. */
const isAsked = (seen: IndexedPage, query: InstanceQuery, place: Place): boolean =>
  isInstanceOf(seen, query.skill) &&
  (query.order === 'page_id' || seen.at === place.at) &&
  headerPasses(seen.frontmatter, query);

/** Under an overlay one page answers for a slug (E211). */
async function standsForItsSlug({ pageId, skill, slug }: IndexedPage, seeing: Viewer): Promise<boolean> {
  if (seeing.view.scenario === null || slug === null) return true;
  return (await seeing.target({ skill, id: slug }))?.pageId === pageId;
}

const isInstanceOf = (page: IndexedPage, skill: string): boolean =>
  page.pageType === 'instance' && page.skill === skill;

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
