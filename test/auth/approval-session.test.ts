import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusal } from '../support/refusal.ts';
import { HTTPS, SECRET, SERVICE, sessions } from './sessions.ts';

const HTTP = 'http://127.0.0.1:8080';
const ANN = 'ann@example.org';
const HOUR = 3_600_000;

const pairOf = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(';'));
const mac = (secret: string, data: string): string => createHmac('sha256', secret).update(data).digest('base64url');

describe('the cookie', () => {
  test('[AU90] by https it is bound to the host', () => {
    const { issueSession, clearSession } = sessions();
    expect(issueSession(ANN)).toMatch(
      /^__Host-gn_session=[\w-]+\.[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(clearSession()).toBe('__Host-gn_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure');
  });

  test('[AU90] by http it is plain', () => {
    const { issueSession, clearSession } = sessions({ publicUrl: HTTP });
    expect(issueSession(ANN)).toMatch(
      /^gn_session=[\w-]+\.[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(clearSession()).toBe('gn_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
  });

  test('[AU90] it holds the identity and when it ends, signed with the secret', () => {
    const { issueSession, clock } = sessions();
    const [payload = '', signature] = pairOf(issueSession('Ann@Example.org')).split('=')[1]!.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      sub: ANN,
      exp: clock().getTime() / 1000 + 8 * 3600,
    });
    expect(signature).toBe(mac(SECRET, payload));
  });

  test.each([HTTPS, HTTP])('[AU91] it signs in at %s for 8 hours', async publicUrl => {
    const { issueSession, asks, clock } = sessions({ publicUrl });
    const cookie = pairOf(issueSession(ANN));
    expect(await asks(`a=1; ${cookie}; b=2`)).toMatchObject({ identity: ANN });
    clock.advance(8 * HOUR - 1);
    expect(await asks(cookie)).toMatchObject({ identity: ANN });
    clock.advance(1);
    expect(await asks(cookie)).toBeUndefined();
  });

  test('[AU91] none, a cleared one, one under the other name, one of another secret', async () => {
    const { asks, issueSession, clearSession } = sessions();
    const foreign = pairOf(sessions({ secret: `${SECRET}x` }).issueSession(ANN));
    const plain = pairOf(sessions({ publicUrl: HTTP }).issueSession(ANN));
    for (const cookie of [undefined, '', pairOf(clearSession()), foreign, plain, `x${pairOf(issueSession(ANN))}`])
      expect(await asks(cookie)).toBeUndefined();
  });

  test('[AU91] no changed byte of it holds', async () => {
    const { asks, issueSession } = sessions();
    const [name, value = ''] = pairOf(issueSession(ANN)).split('=');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(value.length),
        fc.constantFrom(...'AZaz09-_.='),
        fc.boolean(),
        async (at, sign, insert) => {
          const changed = value.slice(0, at) + sign + value.slice(insert ? at : at + 1);
          fc.pre(changed !== value);
          expect(await asks(`${name}=${changed}`)).toBeUndefined();
        },
      ),
    );
  });

  test.each(['.', '.x', ' ', '=', ','])('[AU91] nor does one with %j behind it', async more => {
    const { asks, issueSession } = sessions();
    expect(await asks(`${pairOf(issueSession(ANN))}${more === ' ' ? ' x' : more}`)).toBeUndefined();
  });

  test.each(['null', '[]', '{}', '{"sub":7,"exp":9e9}', '{"sub":"ann@example.org","exp":"9"}'])(
    '[AU91] signed words that are no session: %s',
    async json => {
      const payload = Buffer.from(json).toString('base64url');
      expect(await sessions().asks(`__Host-gn_session=${payload}.${mac(SECRET, payload)}`)).toBeUndefined();
    },
  );
});

describe('other credentials', () => {
  test.each([`Bearer ${'x'.repeat(40)}`, 'Basic YTpi', `Bearer gn_${'b'.repeat(43)}`])(
    '[AU92] %s signs nobody in',
    async authorization => {
      expect(await sessions().asks(undefined, authorization)).toBeUndefined();
    },
  );

  test('[AU92] a JWT of Access signs nobody in', async () => {
    expect(await sessions().asks(undefined, undefined, 'e30.e30.c2ln')).toBeUndefined();
  });

  test('[AU92] a service with a grant is told that this is not for it', async () => {
    expect(await refusal(sessions().asks(undefined, `Bearer ${SERVICE}`))).toMatchObject({
      code: 'channel-not-allowed',
    });
  });

  test.each([
    ['Bearer x', undefined],
    [`Bearer ${SERVICE}`, undefined],
    [undefined, 'e30.e30.c2ln'],
  ])('[AU92] a session beside %j and %j is refused', async (authorization, accessJwt) => {
    const { asks, issueSession } = sessions();
    for (const cookie of [pairOf(issueSession(ANN)), '__Host-gn_session=stale'])
      expect(await refusal(asks(cookie, authorization, accessJwt))).toMatchObject({ code: 'unauthorized' });
  });

  test('[AU92] two cookies are refused, and so are two other credentials', async () => {
    const { asks, issueSession } = sessions();
    const cookie = pairOf(issueSession(ANN));
    expect(await refusal(asks(`${cookie}; ${cookie}`))).toMatchObject({ code: 'unauthorized' });
    expect(await refusal(asks(undefined, 'Bearer x', 'e30.e30.c2ln'))).toMatchObject({ code: 'unauthorized' });
  });
});

describe('the token of forms', () => {
  test('[AU93] is the HMAC of the identity', async () => {
    const { asks, issueSession, csrfHolds } = sessions();
    const person = (await asks(pairOf(issueSession(ANN))))!;
    expect(person.csrf).toBe(mac(SECRET, `csrf\0${ANN}`));
    expect(csrfHolds(person, person.csrf)).toBe(true);
  });

  test('[AU93] of somebody else, of another secret, a session and a part of it do not hold', async () => {
    const { asks, issueSession, csrfHolds } = sessions();
    const session = pairOf(issueSession(ANN));
    const person = (await asks(session))!;
    const wrong = [
      undefined,
      '',
      mac(SECRET, 'csrf\0bob@example.org'),
      mac(`${SECRET}x`, `csrf\0${ANN}`),
      session.split('.')[1],
      person.csrf.slice(0, -1),
      `${person.csrf}a`,
    ];
    for (const given of wrong) expect(csrfHolds(person, given)).toBe(false);
  });
});
