import { Failure } from '../kernel/failure.ts';

const SCHEME = /^[Bb]earer /;

/** The refusal of a credential (E037). `reason` must not repeat any of it. */
export function rejected(reason: string): Failure {
  return new Failure('unauthorized', `token rejected: ${reason}`);
}

/**
 * The one token of an Authorization header. `unauthorized` without a header (E035), under another scheme or spelling of it
 * (E036), and for anything but one token: a header sent twice arrives joined by a comma.
 */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '')
    throw new Failure('unauthorized', 'a bearer token is needed');
  if (!SCHEME.test(authorization)) throw new Failure('unauthorized', 'the Authorization header holds no bearer token');
  const token = authorization.slice('Bearer '.length);
  if (token === '' || /[\s,]/.test(token)) throw rejected('the header must hold exactly one credential');
  return token;
}

/** Refuses a request that brings two credentials: which of them counts must never be a matter of order (rules-gaps 11). */
export function refuseTwo(one: string | undefined, other: string | undefined): void {
  if (one && other) throw new Failure('unauthorized', 'two credentials on one request');
}

/** The cause of a refusal of a token that nobody could check, e.g. while its issuer is down. */
export class Unchecked extends Error {}

/** On the rules surface a token that nobody could check is a fault of ours (rules contract 6.6); other refusals stay as they are. */
export const checkedOrFault = (refused: Failure): Failure =>
  refused.cause instanceof Unchecked ? new Failure('internal', 'internal error') : refused;
