import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { browserLogin } from '../../src/auth/index.ts';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { ANNA, BEN, SECRET, TOKEN, world, type Options, type World } from './world.ts';

let here: World;
afterEach(() => here.end());
const open = async (options: Options = {}): Promise<World> => (here = await world(options));

const cookieIn = (headers: Headers): string | null => headers.get('set-cookie');
const sayJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  here.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the token of a local set-up', () => {
  test('[AP10] signs in for eight hours, by a cookie that no script and no other site gets', async () => {
    await open();
    const { status, headers } = await here.post('/approval/login', { token: TOKEN });
    expect([status, headers.get('location')]).toEqual([303, '/approval']);
    expect(cookieIn(headers)).toMatch(
      /^gn_session=[\w-]+\.[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test('[AP10] by https the cookie is bound to the host', async () => {
    await open({ publicUrl: 'https://rules.example.com' });
    const { headers } = await here.post('/approval/login', { token: TOKEN });
    expect(cookieIn(headers)).toMatch(
      /^__Host-gn_session=[^;]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test.each(['', 'x', TOKEN.slice(0, -1), `${TOKEN} `, TOKEN.toUpperCase(), SECRET, `${TOKEN}\0`])(
    '[AP10] %j does not sign in, and is not repeated',
    async token => {
      await open();
      const { status, headers, text } = await here.post('/approval/login', {
        token,
        next: '/approval/rules/sales-0001',
      });
      expect([status, cookieIn(headers)]).toEqual([401, null]);
      expect(text).toContain('<code>unauthorized</code>');
      expect(text).toContain('name="next" value="/approval/rules/sales-0001"');
      expect(text).not.toContain(TOKEN);
      expect((await here.post('/approval/login', { next: '/approval' })).status).toBe(401);
      expect(JSON.stringify(here.logged)).not.toContain(token === '' ? TOKEN : JSON.stringify(token));
    },
  );

  test.each([
    'https://evil.example',
    '//evil.example',
    '/approval/../evil',
    '/approval/logout',
    '/approval/rules/sales-0001/../../evil',
    '/approval\\evil',
    'javascript:alert(1)',
    '/approval/rules/sales-0001\r\nset-cookie: a=b',
    '"><script>alert(1)</script>',
    '',
  ])('[AP10] %j leads to the inbox', async next => {
    await open();
    const { status, headers } = await here.post('/approval/login', { token: TOKEN, next });
    expect([status, headers.get('location')]).toEqual([303, '/approval']);
    const page = await here.ask(`/approval/login?next=${encodeURIComponent(next)}`);
    expect(page.text).toContain('name="next" value="/approval"');
  });

  test('[AP18] takes JSON as well, and answers what a script needs', async () => {
    await open();
    const { status, headers, json } = await sayJson('/approval/login', { token: TOKEN });
    expect(status).toBe(200);
    expect(json).toEqual({ identity: ANNA, csrf: await here.csrfOf(ANNA) });
    const cookie = cookieIn(headers)!.split(';')[0]!;
    expect((await here.ask('/approval', { headers: { cookie } })).status).toBe(200);
    const wrong = await sayJson('/approval/login', { token: 'x' });
    expect([wrong.status, wrong.json.error, cookieIn(wrong.headers)]).toEqual([401, 'unauthorized', null]);
    const odd = await sayJson('/approval/login', { token: { length: 5 } });
    expect(odd.status).toBe(401);
  });

  test('[AP12] a page of another site cannot sign anybody in', async () => {
    await open();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: here.publicUrl.replace('127.0.0.1', 'localhost') },
      { origin: '', 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, text, headers: sent } = await here.post('/approval/login', { token: TOKEN }, headers);
      expect([status, cookieIn(sent)]).toEqual([403, null]);
      expect(text).toContain('<code>csrf-failed</code>');
    }
    const plain = await here.ask('/approval/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${TOKEN}`,
    });
    expect(plain.status).toBe(303);
  });

  test.each(['', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded; charset=latin1'])(
    '[AP18] a body of type %j is not understood',
    async type => {
      await open();
      const { status } = await here.post('/approval/login', `token=${TOKEN}`, { 'content-type': type });
      expect(status).toBe(415);
    },
  );
});

describe('guessing', () => {
  const guess = (headers: Record<string, string> = {}, token = 'wrong') =>
    here.post('/approval/login', { token }, headers);

  test('[AP11] no more than the configured number a minute, right ones included', async () => {
    await open({ limits: { loginAttemptsPerMinute: 3 } });
    const seen = [];
    for (let n = 0; n < 5; n++) {
      seen.push((await guess()).status);
      here.rules.pass(1000);
    }
    expect(seen).toEqual([401, 401, 401, 429, 429]);
    const refused = await guess({}, TOKEN);
    expect([refused.status, cookieIn(refused.headers), refused.headers.get('retry-after')]).toEqual([429, null, '55']);
    expect(refused.text).toContain('<code>rate-limited</code>');
    expect((await sayJson('/approval/login', { token: TOKEN })).json.error).toBe('rate-limited');
    here.rules.pass(54_999);
    expect((await guess({}, TOKEN)).status).toBe(429);
    here.rules.pass(1);
    expect((await guess({}, TOKEN)).status).toBe(303);
    expect((await guess({}, TOKEN)).status).toBe(429);
  });

  test('[AP11] what a client says about its address counts only behind a trusted proxy', async () => {
    await open({ limits: { loginAttemptsPerMinute: 1 } });
    const from = (address: string) => guess({ 'x-forwarded-for': address });
    expect([(await from('1.1.1.1')).status, (await from('2.2.2.2')).status]).toEqual([401, 429]);
    await here.end();
    await open({ limits: { loginAttemptsPerMinute: 1, trustedProxy: true } });
    const statuses = [];
    for (const address of ['1.1.1.1', '9.9.9.9, 1.1.1.1', '1.1.1.1, 2.2.2.2', '2.2.2.2', '3.3.3.3']) {
      statuses.push((await from(address)).status);
    }
    expect(statuses).toEqual([401, 429, 401, 429, 401]);
    expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
  });
});

describe('signing out', () => {
  test('[AP14] needs the token of the forms and the same origin', async () => {
    await open();
    const cookie = here.cookieOf(ANNA);
    const csrf = await here.csrfOf(ANNA);
    const wrong: [Record<string, string>, Record<string, string>][] = [
      [{}, { cookie }],
      [{ csrf: '' }, { cookie }],
      [{ csrf: `${csrf}x` }, { cookie }],
      [{ csrf: await here.csrfOf(BEN) }, { cookie }],
      [{ csrf }, { cookie, origin: 'https://evil.example' }],
      [{ csrf }, { cookie, origin: '' }],
      [{ csrf }, { cookie, origin: '', 'sec-fetch-site': 'same-site' }],
    ];
    for (const [fields, headers] of wrong) {
      const { status, text, headers: sent } = await here.post('/approval/logout', fields, headers);
      expect([status, cookieIn(sent)]).toEqual([403, null]);
      expect(text).toContain('<code>csrf-failed</code>');
    }
    const { status, headers } = await here.post('/approval/logout', { csrf }, { cookie });
    expect([status, headers.get('location')]).toEqual([303, '/approval/login?out=1']);
    expect(cookieIn(headers)).toBe('gn_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect((await here.ask('/approval/login?out=1')).text).toContain('You are signed out.');
  });

  test('[AP14, AP18] by a script, and without a session', async () => {
    await open();
    const headers = { cookie: here.cookieOf(ANNA), csrf: await here.csrfOf(ANNA), origin: here.publicUrl };
    const done = await sayJson('/approval/logout', {}, headers);
    expect([done.status, cookieIn(done.headers)]).toEqual([200, expect.stringContaining('Max-Age=0')]);
    expect((await sayJson('/approval/logout', {}, { ...headers, cookie: '' })).status).toBe(401);
    expect((await here.post('/approval/logout', { csrf: 'x' })).headers.get('location')).toBe('/approval/login?out=1');
    expect((await here.ask('/approval/logout', { headers })).status).toBe(404);
  });

  test('[AP14] a person without a grant can sign out, also while the tenant is suspended', async () => {
    await open({ suspended: () => true });
    const fields = { csrf: await here.csrfOf(BEN) };
    expect((await here.post('/approval/logout', fields, { cookie: here.cookieOf(BEN) })).status).toBe(303);
  });
});

describe('ways in', () => {
  test('[AP16] from another site the browser is led on, so that it brings the cookie', async () => {
    await open();
    const from = (site: string) => here.ask('/approval/rules/sales-0001', { headers: { 'sec-fetch-site': site } });
    const { status, text } = await from('cross-site');
    expect(status).toBe(200);
    expect(text).toContain('<meta http-equiv="refresh" content="0; url=/approval/rules/sales-0001" />');
    for (const site of ['same-origin', 'same-site', 'none']) expect((await from(site)).status).toBe(303);
  });

  test('[AP17] another loopback name leads to the public one', async () => {
    await open();
    const named = here.url.replace('127.0.0.1', 'localhost');
    const asked = async (path: string) =>
      (await fetch(`${named}${path}`, { redirect: 'manual' })).headers.get('location');
    expect(await asked('/approval')).toBe(`${here.publicUrl}/approval/login?next=%2Fapproval`);
    expect(await asked('/approval/login')).toBe(`${here.publicUrl}/approval/login?next=%2Fapproval`);
    await here.end();
    await open({ publicUrl: 'https://rules.example.com' });
    expect((await here.ask('/approval')).headers.get('location')).toBe('/approval/login?next=%2Fapproval');
    expect((await here.ask('/approval/login')).status).toBe(200);
    await here.end();
    await open({ publicUrl: 'http://127.0.0.1:1' });
    expect((await here.ask('/approval/login')).status).toBe(200);
  });
});

describe('at an issuer', () => {
  const PUBLIC = 'http://127.0.0.1:8080';
  let issuer: TestIssuer;
  beforeAll(async () => void (issuer = await startIssuer()));
  afterAll(() => issuer.stop());

  const atIssuer = async (address = issuer.issuer): Promise<World> => {
    await open({
      publicUrl: PUBLIC,
      now: new Date(),
      signIn: sessions => ({
        kind: 'browser',
        sessions,
        ...browserLogin({
          issuer: address,
          clientId: 'people',
          publicUrl: PUBLIC,
          sessionSecret: SECRET,
          clock: () => new Date(),
        }),
      }),
    });
    issuer.signIn.redirectUri = `${here.publicUrl}/approval/login/callback`;
    return here;
  };

  test('[AP13] one is led there and back, and a page leads on', async () => {
    await atIssuer();
    const begun = await here.ask('/approval/login?next=/approval/rules/sales-0001');
    expect(begun.status).toBe(303);
    const location = begun.headers.get('location')!;
    expect(location.startsWith(issuer.issuer)).toBe(true);
    const back = new URL(await issuer.visit(location));
    const cookie = cookieIn(begun.headers)!.split(';')[0]!;
    const { status, headers, text } = await here.ask(`${back.pathname}${back.search}`, { headers: { cookie } });
    expect(status).toBe(200);
    expect(text).toContain('<meta http-equiv="refresh" content="0; url=/approval/rules/sales-0001" />');
    const cookies = headers.getSetCookie();
    expect(cookies).toEqual([
      'gn_login=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      expect.stringMatching(/^gn_session=.+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const session = cookies[1]!.split(';')[0]!;
    await here.grants.add(
      {
        kind: 'person',
        auth: 'email',
        identity: 'ann@example.org',
        scopes: ['sales'],
        rights: ['decide'],
        label: null,
      },
      here.rules.clock(),
    );
    const inbox = await here.ask('/approval', { headers: { cookie: session } });
    expect(inbox.status).toBe(200);
    expect(inbox.text).toContain('ann@example.org');
  });

  test('[AP13] a return that was not begun here signs nobody in', async () => {
    await atIssuer();
    for (const query of ['', '?code=x&state=y', '?error=access_denied']) {
      const { status, headers, text } = await here.ask(`/approval/login/callback${query}`);
      expect([status, headers.getSetCookie()]).toEqual([401, []]);
      expect(text).toContain('<code>unauthorized</code>');
      expect(text).toContain('href="/approval/login"');
    }
    expect((await here.post('/approval/login', { token: TOKEN })).status).toBe(404);
  });

  test('[AP14] signing out does not sign in again', async () => {
    await atIssuer();
    const { headers } = await here.post(
      '/approval/logout',
      { csrf: await here.csrfOf(ANNA) },
      { cookie: here.cookieOf(ANNA) },
    );
    const { status, text } = await here.ask(headers.get('location')!);
    expect(status).toBe(200);
    expect(text).toContain('href="/approval/login?next=%2Fapproval"');
  });

  test('[AP13] an issuer that is not there is a page with the way to try again', async () => {
    await atIssuer('http://127.0.0.1:9');
    const { status, text } = await here.ask('/approval/login');
    expect(status).toBe(500);
    expect(text).toContain('href="/approval/login?next=%2Fapproval"');
  });
});
