import type { VectorSpace } from './ports.ts';

/** Grows whenever `passageOf` would give another text for the same block, so that old vectors are not taken for new ones. */
const PREPARATION = 1;

/** One text for one space; equal exactly where vectors may be compared. Belongs into every key of a cache (S17, S18). */
export const spaceKey = ({ model, revision, dim }: VectorSpace): string =>
  JSON.stringify([model, revision, dim, PREPARATION]);
