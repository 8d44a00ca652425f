import type { Failure } from '../kernel/failure.ts';

/** `{error, message?, current?, issues?, remedy?}` (rules-gaps 3); of a fault of ours nothing but the request id. */
export function errorBody(failure: Failure, requestId: string): object {
  if (failure.code === 'internal') return { error: failure.code, request_id: requestId };
  const { current, issues, remedy } = failure.data;
  return { error: failure.code, message: failure.message, current, issues, remedy };
}

/** What a 401 says about signing in: where to read how, as an absolute address (contract of the rules 5.2). */
export const challengeOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? 'Bearer' : `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`;

/** How long to wait, in whole seconds. */
export function retryAfterOf({ data }: Failure): Record<string, string> {
  const wait = data['retry_after_ms'];
  return typeof wait === 'number' ? { 'retry-after': String(Math.ceil(wait / 1000)) } : {};
}
