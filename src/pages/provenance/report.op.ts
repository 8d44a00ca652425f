import { defineOp } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { provenanceGraph } from './graph.ts';
import { abandoned, drift, REPORT_RELATIONS } from './report.ts';
import { ReportInput, ReportOutput } from './schema.ts';

export const provenanceReport = defineOp({
  name: 'provenance_report',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Report decisions that rest on something replaced since, or pages that were superseded or given up.',
  input: ReportInput,
  output: ReportOutput,
  publishesOutput: false,
  async run({ index, access }: Pick<PagesDeps, 'index' | 'access'>, ctx, { kind, skill }) {
    const graph = provenanceGraph(index, await access.reader(ctx.principal), null);
    const edges = await graph.ofRelations(REPORT_RELATIONS);
    return { kind, rows: kind === 'drift' ? drift(edges, skill || null) : abandoned(edges, skill || null) };
  },
});
