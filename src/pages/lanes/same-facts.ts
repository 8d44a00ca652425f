import type { FileFacts } from './ports.ts';

/** Whether both are of one file that nobody changed between the two looks. */
export const sameFacts = (a: FileFacts | null | undefined, b: FileFacts | null | undefined): boolean =>
  a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.mark === b?.mark;
