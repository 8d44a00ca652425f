export const REQUEST_ID = 'x-request-id';

const SAFE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** The caller's `X-Request-Id`, trimmed, or a fresh one when it is missing, long or holds other characters (E030). */
export function requestIdOf(header: string | string[] | undefined, fresh: () => string): string {
  const given = typeof header === 'string' ? header.trim() : '';
  return SAFE.test(given) ? given : fresh();
}
