export const REQUEST_ID = 'x-request-id';

const SAFE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/**
 * The caller's `X-Request-Id`, or a fresh one when it is missing, long or holds other characters (E030). Blanks around a
 * header value are gone before anyone sees it.
 */
export function requestIdOf(header: string | string[] | undefined, fresh: () => string): string {
  return typeof header === 'string' && SAFE.test(header) ? header : fresh();
}
