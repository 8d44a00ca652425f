import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { refusal } from '../support/refusal.ts';
import { keysFront, type KeysFront } from './keys-front.ts';
import { handClock, verifierFor, type HandClock } from './oidc-setup.ts';

let issuer: TestIssuer;
let front: KeysFront;
let clock: HandClock;
let verifier: ReturnType<typeof verifierFor>;

beforeEach(async () => {
  issuer = await startIssuer();
  front = await keysFront(issuer.jwksUri);
  clock = handClock();
  verifier = fresh();
});
afterEach(async () => {
  await front.stop();
  await issuer.stop();
});

const fresh = (overrides: Parameters<typeof verifierFor>[1] = {}) =>
  verifierFor([], {
    clock,
    issuers: [{ issuer: issuer.issuer, audience: 'escurel', jwksUri: front.uri }],
    ...overrides,
  });
const sign = (sub = 'ann', options: Parameters<TestIssuer['token']>[1] = {}) =>
  issuer.token({ sub }, { now: clock(), expiresInSecs: 36_000, ...options });
const unknownKey = (kid = 'nobody') => sign('eve', { header: { kid } });
const message = async (token: string) => (await refusal(verifier.token(token))).message;

const UNKNOWN = 'token rejected: its key is unknown';
const NO_KEYS = 'token rejected: the signing keys of its issuer are not available';

describe('keys that the issuer rotates', () => {
  test('[AU12] a token of a new key is accepted at once, the old key no longer', async () => {
    const old = await sign();
    await verifier.token(old);
    await issuer.rotateKeys();
    expect(await verifier.token(await sign('bob'))).toMatchObject({ subject: 'bob' });
    expect(front.requests).toBe(2);
    expect(await message(old)).toBe(UNKNOWN);
  });

  test('[AU12] several rotations in a row are followed', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await verifier.token(await sign(`turn ${turn}`))).toMatchObject({ subject: `turn ${turn}` });
      await issuer.rotateKeys();
    }
    expect(front.requests).toBe(4);
  });

  test('[AU12] an unknown key costs one fetch, and no key that is known suffers', async () => {
    await verifier.token(await sign());
    expect(await message(await unknownKey())).toBe(UNKNOWN);
    expect(front.requests).toBe(2);
    expect(await verifier.token(await sign('bob'))).toMatchObject({ subject: 'bob' });
    expect(front.requests).toBe(2);
  });

  test('[AU12] keys fetched for the very call are not fetched twice', async () => {
    expect(await message(await unknownKey())).toBe(UNKNOWN);
    expect(front.requests).toBe(1);
  });
});

describe('strangers with unknown keys', () => {
  test('[AU13] a crowd at one moment causes one fetch', async () => {
    await verifier.token(await sign());
    const crowd = await Promise.all(Array.from({ length: 50 }, (_, at) => unknownKey(`nobody ${at}`)));
    expect(new Set(await Promise.all(crowd.map(message)))).toEqual(new Set([UNKNOWN]));
    expect(front.requests).toBe(2);
  });

  test('[AU13] for ten seconds a key causes no other fetch, then one', async () => {
    await verifier.token(await sign());
    await message(await unknownKey('a'));
    clock.advance(9_999);
    await message(await unknownKey('a'));
    expect(front.requests).toBe(2);
    clock.advance(1);
    await message(await unknownKey('a'));
    expect(front.requests).toBe(3);
  });

  test('[AU13] four keys that nobody knows cause no more than four fetches in ten seconds', async () => {
    await verifier.token(await sign());
    for (let at = 0; at < 20; at++) await message(await unknownKey(`nobody ${at}`));
    expect(front.requests).toBe(5);
    clock.advance(10_000);
    await message(await unknownKey('nobody else'));
    expect(front.requests).toBe(6);
  });

  test('[AU13] a stranger does not hide a rotation', async () => {
    await verifier.token(await sign());
    await message(await unknownKey());
    await issuer.rotateKeys();
    expect(await verifier.token(await sign('bob'))).toMatchObject({ subject: 'bob' });
  });

  test('[AU13] a rotation that falls into the pause is followed after it', async () => {
    await verifier.token(await sign());
    for (const key of ['a', 'b', 'c', 'd']) await message(await unknownKey(key));
    await issuer.rotateKeys();
    const token = await sign('bob');
    expect(await message(token)).toBe(UNKNOWN);
    clock.advance(10_000);
    expect(await verifier.token(token)).toMatchObject({ subject: 'bob' });
  });

  test('[AU13] a clock that goes back does not stretch the pause', async () => {
    await verifier.token(await sign());
    for (const key of ['a', 'b', 'c', 'd']) await message(await unknownKey(key));
    await issuer.rotateKeys();
    clock.advance(-3_600_000);
    expect(await verifier.token(await sign('bob'))).toMatchObject({ subject: 'bob' });
  });
});

describe('keys that cannot be had', () => {
  const FAULTS: readonly (readonly [string, KeysFront['mode']])[] = [
    ['a server error', { status: 500, body: '{"keys":[]}' }],
    ['not found', { status: 404, body: '{"keys":[]}' }],
    ['another success', { status: 203, body: '{"keys":[]}' }],
    ['a redirect', { status: 302, body: '' }],
    ['nothing', { status: 200, body: '' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['null', { status: 200, body: 'null' }],
    ['a list', { status: 200, body: '[]' }],
    ['keys that are no list', { status: 200, body: '{"keys":{}}' }],
    ['keys that are no keys', { status: 200, body: '{"keys":[null]}' }],
    ['just over 256 KiB', { status: 200, body: `{"keys":[],"x":"${'x'.repeat(256 * 1024 - 15)}"}` }],
  ];
  test.each(FAULTS)('[AU25] %s is no answer', async (_what, mode) => {
    front.mode = mode;
    expect(await message(await sign())).toBe(NO_KEYS);
    front.mode = 'pass';
    clock.advance(1_000);
    expect(await verifier.token(await sign())).toMatchObject({ subject: 'ann' });
  });

  test('[AU25] an answer without an end is cut off', async () => {
    front.mode = 'endless';
    expect(await message(await sign())).toBe(NO_KEYS);
    await vi.waitFor(() => expect(front.cutOff).toBe(1));
  });

  test('[AU25] an answer of exactly 256 KiB is read', async () => {
    const { keys } = (await (await fetch(issuer.jwksUri)).json()) as { keys: unknown };
    const start = `{"keys":${JSON.stringify(keys)},"x":"`;
    front.mode = { status: 200, body: `${start}${'x'.repeat(256 * 1024 - start.length - 2)}"}` };
    expect(await verifier.token(await sign())).toMatchObject({ subject: 'ann' });
  });

  test('[AU24] an issuer that never answers is given up', async () => {
    front.mode = 'hang';
    verifier = fresh({ jwksTimeoutMs: 50 });
    expect(await message(await sign())).toBe(NO_KEYS);
    await vi.waitFor(() => expect(front.cutOff).toBe(1));
  });

  test('[AU13] a failure is not repeated within a second', async () => {
    front.mode = { status: 500, body: '' };
    const token = await sign();
    expect(new Set(await Promise.all([token, token, token].map(message)))).toEqual(new Set([NO_KEYS]));
    front.mode = 'pass';
    clock.advance(999);
    expect(await message(token)).toBe(NO_KEYS);
    expect(front.requests).toBe(1);
    clock.advance(1);
    expect(await verifier.token(token)).toMatchObject({ subject: 'ann' });
  });
});

describe('keys that grow old', () => {
  test('[AU26] until 80 % of their life they are not fetched again', async () => {
    await verifier.token(await sign());
    clock.advance(239_999);
    await verifier.token(await sign('bob'));
    await verifier.token(await sign('carl'));
    expect(front.requests).toBe(1);
  });

  test.each([true, false])(
    '[AU26] from 80 % on they are fetched while calls go on (token seen before: %j)',
    async seen => {
      const token = await sign();
      await verifier.token(seen ? token : await sign('bob'));
      clock.advance(240_000);
      front.mode = 'hang';
      expect(await verifier.token(token)).toMatchObject({ subject: 'ann' });
      await vi.waitFor(() => expect(front.requests).toBe(2));
    },
  );

  test('[AU26] after it a token not seen before waits for new keys', async () => {
    await verifier.token(await sign());
    await issuer.rotateKeys();
    clock.advance(300_000);
    expect(await verifier.token(await sign('bob'))).toMatchObject({ subject: 'bob' });
    clock.advance(300_000);
    front.mode = { status: 500, body: '' };
    expect(await message(await sign('carl'))).toBe(NO_KEYS);
  });

  test('[AU27] an issuer that is down locks out nobody who was let in', async () => {
    const token = await sign();
    await verifier.token(token);
    front.mode = { status: 500, body: '' };
    for (let hour = 0; hour < 10; hour += 1) {
      expect(await verifier.token(token)).toMatchObject({ subject: 'ann' });
      clock.advance(3_600_000);
    }
    expect(await message(token)).toBe(NO_KEYS);
  });

  test('[AU27] a token is forgotten when new keys leave its key out', async () => {
    const token = await sign();
    await verifier.token(token);
    await issuer.rotateKeys();
    expect(await verifier.token(token)).toMatchObject({ subject: 'ann' });
    clock.advance(240_000);
    await vi.waitFor(async () => expect(await message(token)).toBe(UNKNOWN));
  });
});
