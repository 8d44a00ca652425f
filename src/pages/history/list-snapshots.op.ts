import { defineOp } from '../../kernel/op.ts';
import { checkedPageId } from '../visible.ts';
import { mayReadNow, type PastDeps } from './past.ts';
import { ListSnapshotsInput, ListSnapshotsOutput } from './schema.ts';

export const listSnapshots = defineOp({
  name: 'list_snapshots',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'List when the versions of a page were committed, oldest first; expand reads each with as_of.',
  input: ListSnapshotsInput,
  output: ListSnapshotsOutput,
  publishesOutput: false,
  async run(deps: PastDeps, ctx, input) {
    const pageId = checkedPageId('list_snapshots', 'page_id', input.page_id);
    if (!(await mayReadNow(deps, ctx.principal, pageId))) return { snapshots: [] };
    // To the millisecond: a time cut to the second would not reach the version it names.
    return { snapshots: (await deps.store.history(pageId)).map(({ committedAt }) => committedAt) };
  },
});
