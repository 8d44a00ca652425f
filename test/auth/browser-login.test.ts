import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserLogin, type BrowserLogin } from '../../src/auth/index.ts';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { listen } from '../support/loopback.ts';
import { refusal } from '../support/refusal.ts';
import { SECRET, sessions } from './sessions.ts';

const PUBLIC = 'http://127.0.0.1:8080';
const UNAUTHORIZED = { code: 'unauthorized' };

let issuer: TestIssuer;
let ahead = 0;
const clock = (): Date => new Date(Date.now() + ahead);
beforeAll(async () => {
  issuer = await startIssuer();
  issuer.signIn.redirectUri = `${PUBLIC}/approval/login/callback`;
});
afterAll(() => issuer.stop());
beforeEach(() => {
  ahead = 0;
  delete issuer.signIn.clientSecret;
});

const login = (over: Partial<Parameters<typeof browserLogin>[0]> = {}): BrowserLogin =>
  browserLogin({ issuer: issuer.issuer, clientId: 'people', publicUrl: PUBLIC, sessionSecret: SECRET, clock, ...over });
const pairOf = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(';'));

/** Everything up to the callback: its address and the cookie that goes with it. */
async function arrived(at: BrowserLogin, returnTo?: string): Promise<{ url: string; cookie: string }> {
  const { location, setCookie } = await at.begin(returnTo);
  return { url: await issuer.visit(location), cookie: pairOf(setCookie) };
}
async function signedIn(at = login(), returnTo?: string) {
  const { url, cookie } = await arrived(at, returnTo);
  return at.finish(url, cookie);
}

describe('a sign-in at a real issuer', () => {
  test('[AU95] ends with the e-mail of the id token, in lower case', async () => {
    expect(await signedIn()).toEqual({
      identity: 'ann@example.org',
      setCookie: 'gn_login=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      returnTo: '/approval',
    });
  });

  test('[AU95] asks for a code with PKCE, state and nonce, fresh each time', async () => {
    const [one, two] = [await login().begin(), await login().begin()];
    const asked = Object.fromEntries(new URL(one.location).searchParams);
    expect(asked).toEqual({
      response_type: 'code',
      client_id: 'people',
      redirect_uri: `${PUBLIC}/approval/login/callback`,
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const again = new URL(two.location).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) expect(again.get(name)).not.toBe(asked[name]);
  });

  test.each(['header', 'form'] as const)(
    '[AU95] a client with a secret proves itself in the %s',
    async secretGoesIn => {
      const clientSecret = 'a secret: with % and +';
      Object.assign(issuer.signIn, { clientSecret, secretGoesIn });
      const onlyForm = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const answer = await fetch(url, init);
        if (!String(url).endsWith('openid-configuration')) return answer;
        const described = (await answer.json()) as object;
        return Response.json({ ...described, token_endpoint_auth_methods_supported: ['client_secret_post'] });
      };
      const options = { clientSecret, ...(secretGoesIn === 'form' ? { fetch: onlyForm as typeof fetch } : {}) };
      expect(await signedIn(login(options))).toMatchObject({ identity: 'ann@example.org' });
      expect(await refusal(signedIn(login({ ...options, clientSecret: 'wrong' })))).toMatchObject(UNAUTHORIZED);
    },
  );

  test.each([
    ['/approval/rules/sales-0001?a=b', '/approval/rules/sales-0001?a=b'],
    ['/approval?text=%C3%A4', '/approval?text=%C3%A4'],
    ['/approvals', '/approval'],
    ['//evil.example.org', '/approval'],
    ['https://evil.example.org/approval', '/approval'],
    ['/approval\\evil', '/approval'],
    ['/approval/\r\nSet-Cookie: a=b', '/approval'],
  ])('[AU96] a person who wanted %j is led to %j', async (wanted, led) => {
    expect((await signedIn(login(), wanted)).returnTo).toBe(led);
  });
});

describe('the browser that finishes', () => {
  test('[AU97] must be the one that began', async () => {
    const here = login();
    const { url, cookie } = await arrived(here);
    const other = pairOf((await here.begin()).setCookie);
    const foreign = pairOf((await login({ sessionSecret: `${SECRET}x` }).begin()).setCookie);
    for (const wrong of [undefined, '', 'gn_login=', other, foreign, `${cookie}; ${cookie}`, `${cookie.slice(0, -1)}`])
      expect(await refusal(here.finish(url, wrong))).toMatchObject(UNAUTHORIZED);
    expect(await here.finish(url, `a=b; ${cookie}`)).toMatchObject({ identity: 'ann@example.org' });
  });

  test('[AU97] has ten minutes, and a code once', async () => {
    const here = login();
    const late = await arrived(here);
    ahead = 600_000;
    expect(await refusal(here.finish(late.url, late.cookie))).toMatchObject(UNAUTHORIZED);
    ahead = 0;
    const { url, cookie } = await arrived(here);
    await here.finish(url, cookie);
    expect(await refusal(here.finish(url, cookie))).toMatchObject(UNAUTHORIZED);
  });

  test('[AU97] must bring the state, a code, and no word of another issuer', async () => {
    const here = login();
    const { url, cookie } = await arrived(here);
    const having = (change: (url: URL) => void): string => {
      const changed = new URL(url);
      change(changed);
      return changed.href;
    };
    const wrong = [
      having(({ searchParams }) => searchParams.set('state', 'x')),
      having(({ searchParams }) => searchParams.delete('state')),
      having(({ searchParams }) => searchParams.delete('code')),
      having(({ searchParams }) => searchParams.set('code', 'x')),
      having(({ searchParams }) => searchParams.set('iss', 'https://evil.example.org')),
      `/approval/login/callback?error=access_denied&state=${new URL(url).searchParams.get('state')}`,
    ];
    for (const each of wrong) expect(await refusal(here.finish(each, cookie))).toMatchObject(UNAUTHORIZED);
  });

  test('[AU97] a code of one sign-in does not fit another', async () => {
    const here = login();
    const [mine, theirs] = [await arrived(here), await arrived(here)];
    const mixed = new URL(mine.url);
    mixed.searchParams.set('code', new URL(theirs.url).searchParams.get('code')!);
    expect(await refusal(here.finish(mixed.href, mine.cookie))).toMatchObject(UNAUTHORIZED);
  });

  test('[AU97] the cookie of a sign-in is no session, and by https it is bound to the host', async () => {
    const { setCookie } = await login().begin();
    expect(setCookie).toMatch(/^gn_login=[\w-]+\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await login({ publicUrl: 'https://notes.example.org' }).begin();
    expect(secure.setCookie).toMatch(/^__Host-gn_login=.*; Secure$/);
    const value = setCookie.slice('gn_login='.length, setCookie.indexOf(';'));
    const { asks, issueSession } = sessions({ publicUrl: PUBLIC });
    expect(await asks(`gn_session=${value}`)).toBeUndefined();
    ahead = Date.UTC(2026, 2, 1, 12) - Date.now();
    const session = pairOf(issueSession('ann@example.org')).replace('gn_session', 'gn_login');
    expect(await refusal(login().finish('/approval/login/callback?code=x', session))).toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('it was not begun here'),
    });
  });
});

describe('the id token', () => {
  /** A sign-in whose id token is another one, made of the real one's nonce. */
  async function given(claims: Record<string, unknown>, options: Parameters<TestIssuer['token']>[1] = {}) {
    let nonce = '';
    const swapping = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith('/token')) return answer;
      const usual = { aud: 'people', nonce, email: 'ann@example.org' };
      return Response.json({ id_token: await issuer.token({ ...usual, ...claims }, options) });
    };
    const here = login({ fetch: swapping as typeof fetch });
    const { location, setCookie } = await here.begin();
    nonce = new URL(location).searchParams.get('nonce')!;
    return here.finish(await issuer.visit(location), pairOf(setCookie));
  }

  test.each([{}, { email_verified: true }, { azp: 'people' }, { aud: ['people', 'x'], azp: 'people' }])(
    '[AU98] holds with %j',
    async claims => {
      expect(await given(claims)).toMatchObject({ identity: 'ann@example.org' });
    },
  );

  test.each([
    { aud: 'escurel' },
    { aud: ['people', 'x'] },
    { azp: 'x' },
    { iss: 'https://other.example.org' },
    { nonce: 'x' },
    { nonce: undefined },
    { exp: undefined },
    { exp: 1 },
    { sub: undefined },
    { email: undefined },
    { email: '' },
    { email: ['ann@example.org'] },
    { email: 'änn@example.org' },
    { email_verified: false },
    { email_verified: 'false' },
  ])('[AU98] does not hold with %j', async claims => {
    expect(await refusal(given(claims))).toMatchObject(UNAUTHORIZED);
  });

  test.each([{ kid: undefined }, { kid: 'x' }])('[AU98] does not hold with the header %j', async header => {
    expect(await refusal(given({}, { header }))).toMatchObject(UNAUTHORIZED);
  });
});

describe('an issuer that cannot be reached', () => {
  test.each([
    ['is somebody else', (known: object) => JSON.stringify({ ...known, issuer: 'https://evil.example.org' })],
    ['names no addresses', (known: object) => JSON.stringify({ ...known, token_endpoint: undefined })],
    ['names other things', (known: object) => JSON.stringify({ ...known, jwks_uri: 'file:///etc/passwd' })],
    ['says nothing', () => ''],
  ])('[AU99] is a fault, also one that %s', async (_what, says) => {
    const known = (await (await fetch(`${issuer.issuer}/.well-known/openid-configuration`)).json()) as object;
    const front = await listen((_request, response) => void response.end(says(known)));
    expect(await refusal(login({ issuer: front.origin }).begin())).toMatchObject({ code: 'internal' });
    await front.stop();
    expect(await refusal(login({ issuer: front.origin }).begin())).toMatchObject({ code: 'internal' });
  });

  test('[AU99] is asked for its addresses once in ten minutes', async () => {
    let asked = 0;
    const counting = async (url: string | URL | Request): Promise<Response> => {
      asked += 1;
      return fetch(url);
    };
    const here = login({ fetch: counting as typeof fetch });
    await here.begin();
    ahead = 599_000;
    await here.begin();
    expect(asked).toBe(1);
    ahead = 600_000;
    await here.begin();
    expect(asked).toBe(2);
  });
});
