import { sameFacts } from '../../../pages/lanes/index.ts';
import type { FileFacts } from '../../../pages/lanes/ports.ts';

/** A file that was written to more recently than this may be half of what it will be. */
export const REST_MS = 500;

/** How long until a file counts as written to the end, zero or less when it does. `before`: how it was that long ago. */
export function restsIn(facts: FileFacts, before: FileFacts | undefined): number {
  // Where another machine's clock sets the time, standing still is all there is to go by.
  if (before && sameFacts(facts, before)) return 0;
  const age = Date.now() - facts.mtimeMs;
  return age < 0 ? REST_MS : REST_MS - age;
}

/** A time in whole seconds: this file system may give two edits in a row the same one. */
export const isCoarse = ({ mtimeMs }: FileFacts): boolean => mtimeMs % 1000 === 0;
