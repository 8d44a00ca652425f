import type { IncomingMessage } from 'node:http';
import type { Verifier } from '../auth/ports.ts';
import { asFailure, Failure } from '../kernel/failure.ts';
import type { Principal } from '../kernel/principal.ts';

const NAME = 'authorization';

/** The caller, or why nobody is known. Two credentials on one request are none (rules-gaps 11). */
export async function identified(request: IncomingMessage, verifier: Verifier): Promise<Principal | Failure> {
  // Only the raw list tells of a second header: the parsed one keeps the first.
  const { rawHeaders } = request;
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === NAME.length && name.toLowerCase() === NAME) credentials += 1;
  }
  if (credentials > 1) return new Failure('unauthorized', 'two credentials on one request');
  try {
    return await verifier.verify(request.headers.authorization, accessJwtOf(request));
  } catch (thrown) {
    return asFailure(thrown);
  }
}

/** Sent twice, the values arrive joined by a comma, which no JWT holds. */
function accessJwtOf(request: IncomingMessage): string | undefined {
  const value = request.headers['cf-access-jwt-assertion'];
  return Array.isArray(value) ? value.join(', ') : value;
}
