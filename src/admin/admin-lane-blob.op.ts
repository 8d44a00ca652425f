import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import { defineOp } from '../kernel/op.ts';
import { lane, refuseOtherLane, type LaneDeps } from './lanes.ts';

const TOOL = 'admin_lane_blob';
const MOST_BYTES = 1_048_576;

export const adminLaneBlob = defineOp({
  name: TOOL,
  surface: 'admin',
  effect: 'read',
  execution: 'deterministic',
  scope: 'admin',
  quota: 'none',
  summary: 'The bytes of one file of a page, as base64. Files over 1 MiB are refused.',
  input: z.object({ lane, key: z.string().min(1).describe('As admin_lane_keys names it.') }),
  output: z.object({ bytes_base64: z.string(), content_type: z.string() }),
  publishesOutput: false,
  async run({ files, published }: LaneDeps, _ctx, input) {
    refuseOtherLane(TOOL, input.lane);
    await published();
    const facts = await files.stat(input.key);
    if (!facts) throw new Failure('not_found', `${TOOL}: key: there is no such file`, { argument: 'key' });
    const bytes = facts.size > MOST_BYTES ? undefined : await files.read(input.key);
    if (!bytes || bytes.length > MOST_BYTES) {
      throw new Failure('invalid_params', `${TOOL}: key: the file is larger than ${MOST_BYTES} bytes`, {
        argument: 'key',
      });
    }
    return { bytes_base64: Buffer.from(bytes).toString('base64'), content_type: contentType(input.key) };
  },
});

/** By suffix (E690). */
function contentType(key: string): string {
  if (key.endsWith('.md')) return 'text/markdown';
  return key.endsWith('.json') ? 'application/json' : 'application/octet-stream';
}
