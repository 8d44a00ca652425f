import { defineOp } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { checkedPageId, timeAndScenario } from '../visible.ts';
import { provenanceGraph } from './graph.ts';
import { AncestryInput, AncestryOutput } from './schema.ts';
import { MOST_PAGES, pathTo, walk } from './walk.ts';

const TOOL = 'provenance_ancestry';
const UNREACHED = { reachable: false, path: [], depth: 0 };

export const provenanceAncestry = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Walk the links a page rests on, or those that rest on it, or find the shortest way between two pages.',
  input: AncestryInput,
  argumentAliases: { from_page: 'page_id', from_page_id: 'page_id', to_page_id: 'to_page' },
  output: AncestryOutput,
  publishesOutput: false,
  async run({ index, access }: Pick<PagesDeps, 'index' | 'access'>, ctx, input) {
    const { asOf } = timeAndScenario(TOOL, { as_of: input.as_of });
    const graph = provenanceGraph(index, await access.reader(ctx.principal), asOf);
    const start = await graph.page(checkedPageId(TOOL, 'page_id', input.page_id));
    const to = input.to_page ? checkedPageId(TOOL, 'to_page', input.to_page) : undefined;
    if (!start) return to === undefined ? { hops: [] } : UNREACHED;
    const plan = {
      direction: input.direction ?? 'up',
      relations: input.relations ?? [],
      maxHops: Math.min(Math.max(input.max_hops ?? 5, 1), 12),
    };
    const { hops, cut } = await walk(graph, start, plan, to);
    if (cut) ctx.note('truncated_at', MOST_PAGES);
    if (to === undefined) {
      return {
        hops: hops.map(({ page, relation, depth }) => ({ page_id: page.pageId, skill: page.skill, relation, depth })),
      };
    }
    if (to === start.pageId) return { reachable: true, path: [to], depth: 0 };
    const path = pathTo(hops, to);
    return path.length === 0 ? UNREACHED : { reachable: true, path, depth: path.length - 1 };
  },
});
