import { Failure } from './failure.ts';

/**
 * Opaque resume cursors: URL-safe base64 without padding of the parts joined with `|` (E213).
 * The last part may itself contain `|`.
 */
export function encodeCursor(parts: readonly string[]): string {
  return Buffer.from(parts.join('|'), 'utf8').toString('base64url');
}

/** The `count` parts of a cursor; anything else is `invalid_params` naming `tool` (E214). */
export function decodeCursor(tool: string, cursor: string, count: number): string[] {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  const parts = text.split('|');
  if (parts.length < count || encodeCursor(parts) !== cursor) {
    throw new Failure('invalid_params', `${tool}: cursor: not a cursor of this tool`, { argument: 'cursor' });
  }
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join('|')];
}
