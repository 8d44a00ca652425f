import type { FileProblem } from '../../pages/lanes/ports.ts';

/** The system's code of an error, also of one that came from a thread; empty for anything else. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

const NEVER = new Set(['ENAMETOOLONG', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST', 'EINVAL']);

/** Sorts a failed write into those that time may heal and those it will not. */
export function problemOf(error: unknown): FileProblem {
  const told = typeof error === 'object' && error !== null && 'message' in error;
  const message = String(told ? error.message : error);
  return { kind: NEVER.has(errorCode(error)) ? 'unsuitable' : 'failed', message };
}
