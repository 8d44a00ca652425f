import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { accessVerifiers, approvalSessions } from '../../src/auth/index.ts';
import { proposed } from '../rules/world.ts';
import { ANNA, BEN, formOn, SECRET, SERVICE, TOKEN, world, type Answer, type Options, type World } from './world.ts';

let here: World;
afterEach(() => here.end());

const open = async (options: Options = {}): Promise<string> => {
  here = await world(options);
  return proposed(here.rules);
};
const stored = (): number => here.rules.rows('sales', 'SELECT count(*) AS n FROM decision')[0]!['n'] as number;
/** Everything a browser or script of a person would send to decide, without who they are. */
const decisionOf = async (id: string): Promise<Record<string, string>> =>
  formOn((await here.get(`/approval/rules/${id}`)).text, 'confirm');

/** Every page and route of the channel, asked with these headers. */
async function everywhere(id: string, headers: Record<string, string>, form: Record<string, string>) {
  const json = JSON.stringify({ decision: 'confirm', version: 1 });
  const asked: Record<string, Answer> = {
    inbox: await here.ask('/approval', { headers }),
    rule: await here.ask(`/approval/rules/${id}`, { headers }),
    form: await here.post(`/v1/rules/${id}/decision`, form, headers),
    json: await here.ask(`/v1/rules/${id}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: here.publicUrl, csrf: form['csrf']!, ...headers },
      body: json,
    }),
    unread: await here.ask(`/v1/rules/${id}/decision`, { method: 'POST', headers, body: 'x' }),
  };
  return Object.fromEntries(Object.entries(asked).map(([name, { status }]) => [name, status]));
}
const all = (status: number) => ({ inbox: status, rule: status, form: status, json: status, unread: status });

describe('people', () => {
  test('[AP1] nobody is led to the sign-in, and from there to the page that was wanted', async () => {
    const id = await open();
    for (const path of ['/approval', `/approval/rules/${id}`]) {
      const { status, headers } = await here.ask(path);
      expect([status, headers.get('location')]).toEqual([303, `/approval/login?next=${encodeURIComponent(path)}`]);
    }
    const login = await here.ask(`/approval/login?next=/approval/rules/${id}`);
    expect(login.text).toContain(`<input type="hidden" name="next" value="/approval/rules/${id}" />`);
    const { status, headers } = await here.post('/approval/login', { token: TOKEN, next: `/approval/rules/${id}` });
    expect([status, headers.get('location')]).toEqual([303, `/approval/rules/${id}`]);
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    expect((await here.ask(`/approval/rules/${id}`, { headers: { cookie } })).status).toBe(200);
  });

  test('[AP1] a decision without anybody is 401, as a page with the way in or as JSON with the way for programs', async () => {
    const id = await open();
    const form = await decisionOf(id);
    const page = await here.post(`/v1/rules/${id}/decision`, form);
    expect(page.status).toBe(401);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(`href="/approval/login?next=%2Fapproval%2Frules%2F${id}"`);
    const json = await here.decideJson(id, { decision: 'confirm', version: 1 }, { cookie: '' });
    expect([json.status, json.json.error]).toEqual([401, 'unauthorized']);
    expect(json.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${here.publicUrl}/.well-known/oauth-protected-resource"`,
    );
    expect(stored()).toBe(0);
  });

  test('[AP2] without a grant one is told so, and can sign out', async () => {
    const id = await open();
    for (const path of ['/approval', `/approval/rules/${id}`]) {
      const { status, text } = await here.get(path, BEN);
      expect(status).toBe(401);
      expect(text).toContain('This account may not decide anything here.');
      expect(text).toContain('action="/approval/logout"');
      expect(text).not.toContain('delivery');
    }
    const form = { ...(await decisionOf(id)), csrf: await here.csrfOf(BEN) };
    expect((await here.post(`/v1/rules/${id}/decision`, form, { cookie: here.cookieOf(BEN) })).status).toBe(401);
    expect(stored()).toBe(0);
  });

  test('[AP2] a disabled grant ends at once', async () => {
    const id = await open();
    const form = await decisionOf(id);
    await here.grants.disable('person:1', here.rules.clock());
    expect((await here.get('/approval')).status).toBe(401);
    expect((await here.post(`/v1/rules/${id}/decision`, form, { cookie: here.cookieOf(ANNA) })).status).toBe(401);
    expect(stored()).toBe(0);
  });

  test('[AP3] without the right to decide nothing is seen', async () => {
    const id = await open({ rights: ['read', 'propose'] });
    const fields = { decision: 'confirm', version: '1', csrf: await here.csrfOf(ANNA), shown_sha256: 'a'.repeat(64) };
    expect(await everywhere(id, { cookie: here.cookieOf(ANNA) }, fields)).toEqual({ ...all(403), unread: 415 });
    expect((await here.get('/approval')).text).toContain('<code>channel-not-allowed</code>');
    expect(stored()).toBe(0);
  });

  test('[AP3] scopes that are not granted answer alike, whether they exist or not', async () => {
    await open({ granted: ['sales'] });
    const answers = await Promise.all(
      ['legal', 'nowhere'].flatMap(scope => [
        here.get(`/approval?scope=${scope}`),
        here.get(`/approval/rules/${scope}-0001`),
        here.decideJson(`${scope}-0001`, { decision: 'confirm', version: 1 }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    const texts = answers.map(({ text }) => text.replaceAll('nowhere', 'legal'));
    expect(texts.slice(0, 3)).toEqual(texts.slice(3));
    const missing = await here.get('/approval/rules/sales-0099');
    expect([missing.status, missing.text.includes('<code>not-found</code>')]).toEqual([404, true]);
    expect((await here.get('/approval')).text).not.toContain('legal');
  });

  test('[AP6] nobody is served while the tenant is suspended', async () => {
    let suspended = false;
    const id = await open({ suspended: () => suspended });
    const form = await decisionOf(id);
    suspended = true;
    expect(await everywhere(id, { cookie: here.cookieOf(ANNA) }, form)).toEqual(all(403));
    expect((await here.get('/approval')).text).toContain('<code>tenant_suspended</code>');
    expect(stored()).toBe(0);
  });
});

describe('bearers', () => {
  const foreign = {
    'a token of another channel': `Bearer ${'m'.repeat(43)}`,
    'the approval token': `Bearer ${TOKEN}`,
    'a JWT': `Bearer ${['{"alg":"ES256","kid":"one"}', '{"sub":"ann","email":"anna@example.com"}', 'x'].map(part => Buffer.from(part).toString('base64url')).join('.')}`,
    'an unknown service': `Bearer gn_${'x'.repeat(43)}`,
    'a malformed one': `Bearer gn_${'s'.repeat(42)}`,
    basic: 'Basic YW5uYUBleGFtcGxlLmNvbTp4',
    'the session secret': `Bearer ${SECRET}`,
    'nothing at all': 'Bearer ',
  };

  test.each(Object.entries(foreign))('[AP4] %s gets nowhere', async (_, authorization) => {
    const id = await open();
    const form = await decisionOf(id);
    expect(await everywhere(id, { authorization }, form)).toEqual(all(401));
    expect(stored()).toBe(0);
  });

  test('[AP4] nor does a session cookie as a bearer, or a bearer as a cookie', async () => {
    const id = await open();
    const form = await decisionOf(id);
    const session = here.cookieOf(ANNA).split('=')[1]!;
    expect(await everywhere(id, { authorization: `Bearer ${session}` }, form)).toEqual(all(401));
    const cookies = [
      `gn_session=${TOKEN}`,
      `gn_session=${SERVICE}`,
      `session=${session}`,
      `__Host-gn_session=${session}`,
    ];
    for (const cookie of cookies) {
      expect(await everywhere(id, { cookie }, form)).toEqual({ ...all(401), inbox: 303, rule: 303 });
    }
    expect(stored()).toBe(0);
  });

  test('[AP4] a service is told that persons decide, before anything else is looked at', async () => {
    const id = await open();
    const authorization = `Bearer ${SERVICE}`;
    expect(await everywhere(id, { authorization }, { csrf: 'none' })).toEqual(all(403));
    const { json } = await here.decideJson(id, 'no json', {
      authorization,
      cookie: '',
      csrf: '',
      origin: 'https://evil.example',
    });
    expect(json.error).toBe('channel-not-allowed');
    await here.grants.disable('service:2', here.rules.clock());
    expect(await everywhere(id, { authorization }, { csrf: 'none' })).toEqual(all(401));
    expect(stored()).toBe(0);
  });

  test('[AP4] two credentials at once are none', async () => {
    const id = await open();
    const form = await decisionOf(id);
    const cookie = here.cookieOf(ANNA);
    for (const two of [
      { cookie, authorization: `Bearer ${SERVICE}` },
      { cookie, authorization: `Bearer ${'m'.repeat(43)}` },
      { cookie, 'cf-access-jwt-assertion': 'a.b.c' },
      { cookie: `${cookie}; ${here.cookieOf(BEN)}` },
      { authorization: `Bearer ${SERVICE}`, 'cf-access-jwt-assertion': 'a.b.c' },
    ]) {
      expect(await everywhere(id, two, form)).toEqual(all(401));
    }
    expect((await everywhere(id, { cookie }, form)).form).toBe(303);
    const two = await here.post('/approval/login', { token: TOKEN }, { authorization: `Bearer ${'m'.repeat(43)}` });
    expect([two.status, two.headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('[AP5] a cookie of another secret, changed or over is none', async () => {
    const id = await open();
    const form = await decisionOf(id);
    const { clock } = here.rules;
    const other = approvalSessions({
      secret: `${SECRET}x`,
      publicUrl: here.publicUrl,
      clock,
      grantOf: async () => undefined,
    });
    const good = here.cookieOf(ANNA);
    const [payload, mac] = good.slice('gn_session='.length).split('.') as [string, string];
    const raised = Buffer.from(JSON.stringify({ sub: ANNA, exp: 9e9 })).toString('base64url');
    const cookies = [
      other.issueSession(ANNA).split(';')[0]!,
      `gn_session=${raised}.${mac}`,
      `gn_session=${payload}.${mac.slice(0, -1)}`,
      `gn_session=${payload}`,
      'gn_session=',
    ];
    for (const cookie of cookies) {
      expect(await everywhere(id, { cookie }, form)).toEqual({ ...all(401), inbox: 303, rule: 303 });
    }
    here.rules.pass(8 * 3_600_000);
    expect(await everywhere(id, { cookie: good }, form)).toEqual({ ...all(401), inbox: 303, rule: 303 });
    expect(stored()).toBe(0);
  });
});

describe('behind Access', () => {
  const team = 'https://team.cloudflareaccess.com';
  const audiences = { mcp: 'aud-mcp', api: 'aud-api', approval: 'aud-approval' };

  async function behindAccess() {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
    const id = await open({
      signIn: () => ({ kind: 'elsewhere' }),
      verifier: grants =>
        accessVerifiers({
          tenant: 'default',
          teamDomain: team,
          audiences,
          admins: [],
          clock: () => here.rules.clock(),
          fetch: async () => Response.json(keys),
        }).approval(SECRET, one => grants.find(one.auth, one.identity)),
    });
    const now = Math.floor(here.rules.clock().getTime() / 1000);
    const sign = (claims: Record<string, unknown>) =>
      new SignJWT({ iss: team, aud: audiences.approval, iat: now, exp: now + 60, email: ANNA, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(privateKey);
    return { id, jwt: async (claims = {}) => ({ 'cf-access-jwt-assertion': await sign(claims) }) };
  }

  test('[AP4] the JWT of this channel decides, those of the others do not', async () => {
    const { id, jwt } = await behindAccess();
    const form = {
      decision: 'confirm',
      version: '1',
      csrf: await here.csrfOf(ANNA),
      shown_sha256: /name="shown_sha256" value="(\w+)"/.exec(
        (await here.ask(`/approval/rules/${id}`, { headers: await jwt() })).text,
      )![1]!,
    };
    for (const aud of [audiences.mcp, audiences.api, 'other']) {
      expect(await everywhere(id, await jwt({ aud }), form)).toEqual(all(401));
    }
    const names = { email: undefined, common_name: 'feeder' };
    expect(await everywhere(id, await jwt(names), form)).toEqual(all(401));
    await here.grants.add(
      { kind: 'service', auth: 'access-service', identity: 'feeder', scopes: ['sales'], rights: ['read'], label: null },
      here.rules.clock(),
    );
    expect(await everywhere(id, await jwt(names), form)).toEqual(all(403));
    expect(await everywhere(id, { cookie: here.cookieOf(ANNA) }, form)).toEqual(all(401));
    expect(await everywhere(id, {}, form)).toEqual(all(401));
    expect(stored()).toBe(0);
    expect((await everywhere(id, await jwt(), form)).form).toBe(303);
    expect(stored()).toBe(1);
  });

  test('[AP15] there is nothing to sign in or out with', async () => {
    const { jwt } = await behindAccess();
    const headers = await jwt();
    expect((await here.ask('/approval', { headers })).text).not.toContain('/approval/logout');
    const csrf = await here.csrfOf(ANNA);
    for (const answer of [
      await here.ask('/approval/login', { headers }),
      await here.ask('/approval/login/callback', { headers }),
      await here.post('/approval/login', { token: TOKEN }, headers),
      await here.post('/approval/logout', { csrf }, headers),
    ]) {
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([404, null]);
      expect(answer.text).toContain('<code>not-found</code>');
    }
  });
});
