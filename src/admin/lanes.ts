import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';
import type { FileLane } from '../pages/lanes/ports.ts';

export interface LaneDeps {
  readonly files: FileLane;
  /** Resolves when the files are as the writes answered before, or when that takes too long to wait for. Never rejects. */
  readonly published: () => Promise<void>;
}

/** The one lane that admins look into. */
export const LANE = 'markdown';

export const lane = z.string().default('').describe('markdown, or empty for it.');

/** `invalid_params` for any other lane (E689). */
export function refuseOtherLane(tool: string, named: string): void {
  if (named === '' || named === LANE) return;
  throw new Failure('invalid_params', `${tool}: lane: the only lane is ${LANE}`, { argument: 'lane' });
}
