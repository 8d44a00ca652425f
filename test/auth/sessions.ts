import { createHash } from 'node:crypto';
import { approvalSessions } from '../../src/auth/index.ts';
import { handClock } from './oidc-setup.ts';

export const SECRET = 'session-secret-of-more-than-32-characters';
export const HTTPS = 'https://notes.example.org';
/** A bearer whose service has a grant. */
export const SERVICE = `gn_${'a'.repeat(43)}`;
const HASH = createHash('sha256').update(SERVICE).digest('hex');

/** Sessions whose clock moves by hand. */
export function sessions(over: { secret?: string; publicUrl?: string } = {}) {
  const clock = handClock();
  const made = approvalSessions({
    secret: SECRET,
    publicUrl: HTTPS,
    clock,
    grantOf: async ({ auth, identity }) => (auth === 'bearer' && identity === HASH ? { id: 'service:1' } : undefined),
    ...over,
  });
  const asks = (cookie?: string, authorization?: string, accessJwt?: string) =>
    made.person({ cookie, authorization, accessJwt });
  return { ...made, clock, asks };
}
