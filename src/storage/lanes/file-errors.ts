import type { FileProblem } from '../../pages/lanes/ports.ts';

/** The system's code of a thrown error, empty for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const NEVER = new Set(['ENAMETOOLONG', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST', 'EINVAL']);

/** Sorts a failed write into those that time may heal and those it will not. */
export function problemOf(error: unknown): FileProblem {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: NEVER.has(errorCode(error)) ? 'unsuitable' : 'failed', message };
}
