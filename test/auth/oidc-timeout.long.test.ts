import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startIssuer } from '../support/issuer.ts';
import { refusal } from '../support/refusal.ts';
import { keysFront } from './keys-front.ts';
import { verifierFor } from './oidc-setup.ts';

test('[AU24] a fetch of keys is waited for, but not for ever', async () => {
  const issuer = await startIssuer();
  const front = await keysFront(issuer.jwksUri);
  try {
    front.mode = 'hang';
    const verifier = verifierFor([], {
      clock: () => new Date(),
      issuers: [{ issuer: issuer.issuer, audience: 'escurel', jwksUri: front.uri }],
    });
    const call = refusal(verifier.token(await issuer.token()));
    expect(await Promise.race([call, sleep(9_500, 'still waiting')])).toBe('still waiting');
    expect((await call).message).toMatch(/^token rejected: .*not available/);
  } finally {
    await front.stop();
    await issuer.stop();
  }
});
