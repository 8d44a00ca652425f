export { batchesByLength } from './batches.ts';
export { EmbedderFault } from './fault.ts';
export { fixedVector, type FixedVector } from './fixed-point.ts';
export { HASHED_DIM, HASHED_REVISION, hashedVector } from './hashed.ts';
export { clsPool, meanPool, unitVector } from './pool.ts';
export { passagesOf, wholeText } from './prepare.ts';
export { spaceKey } from './space.ts';
