import { z } from 'zod';
import { Failure } from '../kernel/failure.ts';

/** The one lane that admins look into. */
export const LANE = 'markdown';

export const lane = z.string().default('').describe('markdown, or empty for it.');

/** `invalid_params` for any other lane (E689). */
export function refuseOtherLane(tool: string, named: string): void {
  if (named === '' || named === LANE) return;
  throw new Failure('invalid_params', `${tool}: lane: the only lane is ${LANE}`, { argument: 'lane' });
}
