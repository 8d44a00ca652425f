import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { refusal } from '../support/refusal.ts';
import { handClock, verifierFor, type HandClock } from './oidc-setup.ts';

let issuer: TestIssuer;
let other: TestIssuer;
let clock: HandClock;
let verifier: ReturnType<typeof verifierFor>;

beforeAll(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
});
afterAll(() => Promise.all([issuer.stop(), other.stop()]));
beforeEach(() => {
  clock = handClock();
  verifier = verifierFor([issuer.issuer], { clock });
});

const sign = (claims: Record<string, unknown> = {}, options: Parameters<TestIssuer['token']>[1] = {}) =>
  issuer.token(claims, { now: clock(), ...options });
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());
const rejection = (reason: RegExp) => ({
  code: 'unauthorized',
  message: expect.stringMatching(new RegExp(`^token rejected: .*${reason.source}`)),
});

const flipped = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
const both = () => verifierFor([issuer.issuer, other.issuer], { clock });
const unsigned = (header: Record<string, unknown>, signature = 'c2ln') => {
  const payload = { iss: issuer.issuer, aud: 'escurel', sub: 'ann', tenant: 'default', exp: 4_000_000_000 };
  return `${encode(header)}.${encode(payload)}.${signature}`;
};

describe('a token that holds', () => {
  test('[AU22, AU23] names a metered principal', async () => {
    expect(await verifier.token(await sign({ roles: ['team-a', 'team-b'] }))).toEqual({
      tenant: 'default',
      subject: 'ann',
      groups: ['team-a', 'team-b'],
      admin: false,
      metered: true,
      grantIdentity: { auth: 'access-service', identity: 'ann' },
    });
  });

  test('[AU22] may come from the provider itself, by a real grant', async () => {
    const live = verifierFor([issuer.issuer], { clock: () => new Date() });
    const token = await issuer.grantedToken({ tenant: 'default', roles: 'escurel:admin' });
    expect(await live.token(token)).toMatchObject({ subject: 'robot', admin: true, groups: [] });
  });

  test('[AU10] may be signed with RSA', async () => {
    expect(await verifier.token(await sign({}, { alg: 'RS256' }))).toMatchObject({ subject: 'ann' });
  });

  test('[AU23] is checked against keys at a configured address', async () => {
    const elsewhere = verifierFor([], {
      clock,
      issuers: [{ issuer: 'https://issuer.example', audience: 'x', jwksUri: issuer.jwksUri }],
    });
    expect(await elsewhere.token(await sign({ iss: 'https://issuer.example', aud: ['y', 'x'] }))).toMatchObject({
      subject: 'ann',
    });
  });

  test('[AU23] is checked without the last slash of the issuer', async () => {
    const slashed = verifierFor([`${issuer.issuer}/`], { clock });
    expect(await slashed.token(await sign({ iss: `${issuer.issuer}/` }))).toMatchObject({ subject: 'ann' });
  });
});

describe('before any key is looked up', () => {
  test.each(['none', 'None', 'HS256', 'HS512', 'PS256', 'ES512', 'EdDSA', 'es256', '', undefined, 7])(
    '[AU10] the algorithm %j is refused',
    async alg => {
      const requests = issuer.jwksRequests();
      for (const signature of ['', 'c2ln'])
        expect(await refusal(verifier.token(unsigned({ alg, kid: 'k' }, signature)))).toMatchObject(
          rejection(/algorithm/),
        );
      expect(issuer.jwksRequests()).toBe(requests);
    },
  );

  test('[AU10] a token signed with the public key as a shared secret is refused', async () => {
    const { keys } = (await (await fetch(issuer.jwksUri)).json()) as { keys: { kid: string; alg: string }[] };
    for (const published of keys) {
      const signed = `${encode({ alg: 'HS256', kid: published.kid })}.${encode({ ...decode((await sign()).split('.')[1]!) })}`;
      const secret = await crypto.subtle.importKey(
        'raw',
        Buffer.from(JSON.stringify(published)),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      const mac = Buffer.from(await crypto.subtle.sign('HMAC', secret, Buffer.from(signed))).toString('base64url');
      expect(await refusal(verifier.token(`${signed}.${mac}`))).toMatchObject(rejection(/algorithm/));
    }
  });

  test.each([undefined, '', 5, null])('[AU11] the key name %j is refused', async kid => {
    const requests = issuer.jwksRequests();
    expect(await refusal(verifier.token(unsigned({ alg: 'ES256', kid })))).toMatchObject(rejection(/names no key/));
    expect(issuer.jwksRequests()).toBe(requests);
  });

  test.each([
    'garbage',
    'a.b.c',
    '..',
    'e30.e30.',
    `${'x'.repeat(9000)}`,
    'eyJhbGciOiJFUzI1NiJ9',
    '\u0000.\u0000.\u0000',
  ])('[AU4] %j is refused', async token => {
    const failure = await refusal(verifier.token(token));
    expect(failure).toMatchObject({ code: 'unauthorized', message: expect.stringMatching(/^token rejected: /) });
    expect(failure.message.length).toBeLessThan(200);
  });
});

describe('what a token claims', () => {
  test('[AU14] an expired token is refused, one that is about to is not', async () => {
    const token = await sign({}, { expiresInSecs: 60 });
    clock.advance(59_999);
    expect(await verifier.token(token)).toMatchObject({ subject: 'ann' });
    clock.advance(1);
    expect(await refusal(verifier.token(token))).toMatchObject(rejection(/expired/));
    expect(await refusal(verifierFor([issuer.issuer], { clock }).token(token))).toMatchObject(rejection(/expired/));
  });

  test.each([undefined, 'tomorrow', null, 0])('[AU15] the expiry %j is refused', async exp => {
    expect(await refusal(verifier.token(await sign({ exp })))).toMatchObject({ code: 'unauthorized' });
  });

  test('[AU15] a token may be a minute early, not more', async () => {
    const nbf = clock().getTime() / 1000 + 60;
    expect(await verifier.token(await sign({ nbf }))).toMatchObject({ subject: 'ann' });
    expect(await refusal(verifier.token(await sign({ nbf: nbf + 1 })))).toMatchObject(rejection(/nbf/));
  });

  test.each(['someone-else', ['a', 'b'], undefined, 3, [], 'ESCUREL'])(
    '[AU14] the audience %j is refused',
    async aud => {
      expect(await refusal(verifier.token(await sign({ aud })))).toMatchObject(rejection(/aud/));
    },
  );

  test.each(['https://evil.example', undefined, ''])('[AU14, AU22] the issuer %j is refused', async iss => {
    expect(await refusal(verifier.token(await sign({ iss })))).toMatchObject(rejection(/iss/));
  });

  test('[AU14] a changed byte anywhere is refused, also after the true token was accepted', async () => {
    const token = await sign({ roles: ['team-a'] });
    await verifier.token(token);
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const raised = encode({ ...decode(payload), roles: ['escurel:admin'] });
    for (const forged of [
      `${header}.${raised}.${signature}`,
      `${header}.${payload}.${flipped(signature)}`,
      `${header}.${payload}.`,
      `${encode({ ...decode(header), typ: 'at+jwt' })}.${payload}.${signature}`,
    ])
      expect(await refusal(verifier.token(forged))).toMatchObject(rejection(/signature|valid/));
  });

  test.each([undefined, '', 7, ['default'], null])('[AU16] the tenant %j counts as missing', async tenant => {
    expect(await refusal(verifier.token(await sign({ tenant })))).toMatchObject(rejection(/missing claim tenant/));
  });

  test.each([undefined, '', 7])('[AU16] the subject %j counts as missing', async sub => {
    expect(await refusal(verifier.token(await sign({ sub })))).toMatchObject({ code: 'unauthorized' });
  });

  test.each([undefined, ['escurel:admin']])('[AU17] another tenant is forbidden with the roles %j', async roles => {
    const token = await sign({ tenant: 'rival', roles });
    for (let call = 0; call < 2; call += 1) {
      const failure = await refusal(verifier.token(token));
      expect(failure.code).toBe('forbidden');
      expect(failure.message).not.toMatch(/rival|default/);
    }
  });
});

describe('several issuers', () => {
  test('[AU21] each signs for itself', async () => {
    const trusting = both();
    expect(await trusting.token(await sign({ sub: 'ann' }))).toMatchObject({ subject: 'ann' });
    expect(await trusting.token(await other.token({ sub: 'bob' }, { now: clock() }))).toMatchObject({ subject: 'bob' });
  });

  test('[AU21] an issuer that is not listed is refused before any key is looked up', async () => {
    const requests = issuer.jwksRequests() + other.jwksRequests();
    for (const iss of ['https://evil.example', undefined, 5, `${issuer.issuer}/`])
      expect(await refusal(both().token(await sign({ iss })))).toMatchObject(rejection(/issuer is not trusted/));
    expect(issuer.jwksRequests() + other.jwksRequests()).toBe(requests);
  });

  test('[AU21] no issuer signs for another, under its own key name or the other one', async () => {
    const theirs = decode((await sign()).split('.')[0]!)['kid'] as string;
    const trusting = both();
    for (const header of [{}, { kid: theirs }]) {
      const forged = await other.token({ iss: issuer.issuer }, { now: clock(), header });
      expect(await refusal(trusting.token(forged))).toMatchObject(rejection(/key is unknown|signature/));
    }
    expect(await trusting.token(await sign())).toMatchObject({ subject: 'ann' });
  });

  test('[AU21] each has an audience of its own', async () => {
    const split = verifierFor([], {
      clock,
      issuers: [
        { issuer: issuer.issuer, audience: 'first' },
        { issuer: other.issuer, audience: 'second' },
      ],
    });
    expect(await split.token(await sign({ aud: 'first' }))).toMatchObject({ subject: 'ann' });
    expect(await refusal(split.token(await sign({ aud: 'second' })))).toMatchObject(rejection(/aud/));
  });
});
