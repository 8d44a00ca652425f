import { expect, test } from 'vitest';
import { startIssuer } from '../support/issuer.ts';
import { listen } from '../support/loopback.ts';
import { startCairn } from './cairn.ts';
import { client, request } from './client.ts';

test('E055 keys that never come: the caller is refused, everybody else is served', async () => {
  const silent = await listen(() => {});
  const issuer = await startIssuer();
  const cairn = await startCairn({
    ESCUREL_AUTH_OIDC_ISSUER: issuer.issuer,
    ESCUREL_AUTH_JWKS_URI: `${silent.origin}/keys`,
  });
  try {
    const waiting = client(cairn.origin, await issuer.token()).rpc('ping');
    expect((await request(`${cairn.origin}/readyz`)).status).toBe(200);
    const { status, json } = await waiting;
    expect(status).toBeOneOf([401, 503]);
    expect(json.message).not.toContain(silent.origin);
  } finally {
    await cairn.stop();
    await issuer.stop();
    await silent.stop();
  }
});
