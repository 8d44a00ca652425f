import { z } from 'zod';
import { defineOp } from '../kernel/op.ts';
import { PAGE_FOLDERS } from '../pages/lanes/index.ts';
import type { FileEntry } from '../pages/lanes/ports.ts';
import { lane, refuseOtherLane, type LaneDeps } from './lanes.ts';

const DEFAULT = 100;
const MOST = 10_000;

export const adminLaneKeys = defineOp({
  name: 'admin_lane_keys',
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'The files of pages whose key begins with a text, sorted, with their sizes.',
  input: z.object({
    lane,
    prefix: z.string().default('').describe('How the keys begin, e.g. markdown/skills/.'),
    limit: z.int().nonnegative().default(0).describe(`Keys at the most; 0: ${DEFAULT}, ceiling ${MOST}.`),
  }),
  output: z.object({ keys: z.array(z.object({ key: z.string(), size_bytes: z.int().nonnegative() })) }),
  publishesOutput: false,
  async run({ files, published }: LaneDeps, ctx, input) {
    refuseOtherLane('admin_lane_keys', input.lane);
    const limit = Math.min(input.limit === 0 ? DEFAULT : input.limit, MOST);
    if (input.limit > MOST) ctx.note('limit', MOST);
    await published();
    const found: FileEntry[] = [];
    for (const folder of PAGE_FOLDERS) {
      for await (const entry of files.list(folder)) if (entry.path.startsWith(input.prefix)) found.push(entry);
    }
    const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, limit);
    return { keys: sorted.map(({ path, size }) => ({ key: path, size_bytes: size })) };
  },
});
