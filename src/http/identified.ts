import type { IncomingMessage } from 'node:http';
import type { ApiVerifier, Verifier } from '../auth/ports.ts';
import { asFailure, Failure } from '../kernel/failure.ts';
import type { GrantIdentity, Principal } from '../kernel/principal.ts';

const NAME = 'authorization';

/** The caller, or why nobody is known. Two credentials on one request are none (rules-gaps 11). */
export async function identified(request: IncomingMessage, verifier: Verifier): Promise<Principal | Failure> {
  try {
    return await verifier.verify(authorizationOf(request), accessJwtOf(request));
  } catch (thrown) {
    return asFailure(thrown);
  }
}

/** The grant that a request on `/v1` stands for. Refuses with `unauthorized`. */
export const identifiedOnApi = async (request: IncomingMessage, verifier: ApiVerifier): Promise<GrantIdentity> =>
  verifier.verify(authorizationOf(request), accessJwtOf(request));

function authorizationOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  // Only the raw list tells of a second header: the parsed one keeps the first.
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === NAME.length && name.toLowerCase() === NAME) credentials += 1;
  }
  if (credentials > 1) throw new Failure('unauthorized', 'two credentials on one request');
  return headers.authorization;
}

/** Sent twice, the values arrive joined by a comma, which no JWT holds. */
function accessJwtOf(request: IncomingMessage): string | undefined {
  const value = request.headers['cf-access-jwt-assertion'];
  return Array.isArray(value) ? value.join(', ') : value;
}
