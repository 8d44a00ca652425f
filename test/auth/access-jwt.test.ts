import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessVerifiers } from '../../src/auth/index.ts';
import { withServices, withServicesOnApi } from '../../src/auth/index.ts';
import type { GrantOf } from '../../src/auth/ports.ts';
import { sha256 } from '../../src/kernel/hash.ts';
import { refusal } from '../support/refusal.ts';
import { handClock, type HandClock } from './oidc-setup.ts';

const TEAM = 'https://team.cloudflareaccess.com';
const SECRET = 'session-secret-of-more-than-32-characters';
const SERVICE = `gn_${'a'.repeat(43)}`;
const audiences = { mcp: 'aud-mcp', api: 'aud-api', approval: 'aud-approval' };
const UNAUTHORIZED = { code: 'unauthorized' };
const ANN = { auth: 'email', identity: 'ann@example.org' } as const;

let rsa: CryptoKey;
let other: CryptoKey;
let ec: CryptoKey;
let published: { keys: object[] };
beforeAll(async () => {
  const [one, two, three] = await Promise.all([
    generateKeyPair('RS256'),
    generateKeyPair('RS256'),
    generateKeyPair('ES256'),
  ]);
  [rsa, other, ec] = [one.privateKey, two.privateKey, three.privateKey];
  published = {
    keys: [
      { ...(await exportJWK(one.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
      { ...(await exportJWK(three.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' },
    ],
  };
});

let clock: HandClock;
let fetched: string[];
let answer: () => Promise<Response>;
beforeEach(() => {
  clock = handClock();
  fetched = [];
  answer = async () => Response.json(published);
});

const grantOf: GrantOf = async ({ auth, identity }) => {
  if (auth === 'access-service' && identity === 'feeder') return { id: 'service:1' };
  return auth === 'bearer' && identity === sha256(SERVICE) ? { id: 'service:2' } : undefined;
};

function verifiers(teamDomain = TEAM) {
  const { pages, api, approval } = accessVerifiers({
    tenant: 'acme',
    teamDomain,
    audiences,
    admins: ['root@example.org'],
    clock,
    fetch: async url => {
      fetched.push(String(url));
      return answer();
    },
  });
  const people = approval(SECRET, grantOf);
  return {
    pages: withServices(pages, 'acme', grantOf),
    api: withServicesOnApi(api),
    csrfHolds: people.csrfHolds,
    person: (accessJwt?: string, authorization?: string, cookie?: string) =>
      people.person({ accessJwt, authorization, cookie }),
  };
}

interface Signing {
  readonly key?: CryptoKey;
  readonly header?: Record<string, unknown>;
}

/** A token of Ann for the MCP channel; claims are laid over it, undefined takes one away. */
function sign(claims: Record<string, unknown> = {}, { key = rsa, header = {} }: Signing = {}): Promise<string> {
  const iat = clock().getTime() / 1000;
  const usual = { iss: TEAM, aud: [audiences.mcp], email: 'Ann@Example.org', sub: 'x', iat, nbf: iat, exp: iat + 600 };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
}

const verdict = async (claims: Record<string, unknown>, signing?: Signing) =>
  verifiers()
    .pages.verify(undefined, await sign(claims, signing))
    .then(
      () => 'accepted',
      (failure: { code: string }) => failure.code,
    );
const secs = (delta: number): number => clock().getTime() / 1000 + delta;

describe('a token of the team', () => {
  test('[AU80] is checked against the keys at its own address', async () => {
    expect(await verdict({})).toBe('accepted');
    expect(fetched).toEqual([`${TEAM}/cdn-cgi/access/certs`]);
    expect(await verifiers(`${TEAM}/`).api.verify(undefined, await sign({ aud: audiences.api }))).toEqual(ANN);
  });

  test('[AU80] holds on its own channel only', async () => {
    const { pages, api, person } = verifiers();
    const accepting = async (aud: string): Promise<string[]> => {
      const jwt = await sign({ aud: [aud] });
      const asked = [pages.verify(undefined, jwt), api.verify(undefined, jwt), person(jwt)];
      const answers = await Promise.allSettled(asked);
      return Object.keys(audiences).filter((_, at) => answers[at]!.status === 'fulfilled');
    };
    for (const [channel, aud] of Object.entries(audiences)) expect(await accepting(aud)).toEqual([channel]);
    expect(await accepting('aud-other')).toEqual([]);
  });

  test.each([
    [{ iss: 'https://other.cloudflareaccess.com' }],
    [{ iss: undefined }],
    [{ aud: undefined }],
    [{ aud: [] }],
    [{ exp: undefined }],
    [{ exp: 'never' }],
  ])('[AU80] is refused with %j', async claims => {
    expect(await verdict(claims)).toBe('unauthorized');
  });

  test('[AU80] has 30 seconds of grace around its times', async () => {
    expect(await verdict({ exp: secs(-29) })).toBe('accepted');
    expect(await verdict({ exp: secs(-31) })).toBe('unauthorized');
    expect(await verdict({ nbf: secs(29) })).toBe('accepted');
    expect(await verdict({ nbf: secs(31) })).toBe('unauthorized');
    expect(await verdict({ iat: secs(29) })).toBe('accepted');
    expect(await verdict({ iat: secs(31) })).toBe('unauthorized');
  });

  test('[AU80] by another algorithm, key or key name is refused', async () => {
    expect(await verdict({}, { key: ec, header: { alg: 'ES256', kid: 'ec' } })).toBe('unauthorized');
    expect(await verdict({}, { key: other })).toBe('unauthorized');
    expect(await verdict({}, { header: { kid: 'two' } })).toBe('unauthorized');
    fetched = [];
    expect(await verdict({}, { header: { kid: undefined } })).toBe('unauthorized');
    const rs512 = `${Buffer.from('{"alg":"RS512","kid":"one"}').toString('base64url')}.e30.c2ln`;
    expect(await refusal(verifiers().pages.verify(undefined, rs512))).toMatchObject(UNAUTHORIZED);
    expect(fetched).toEqual([]);
  });

  test.each(['', 'e30.e30.c2ln', 'a.b.c', '..', 'no'])('[AU80] %j is none', async jwt => {
    expect(await refusal(verifiers().pages.verify(undefined, jwt))).toMatchObject(UNAUTHORIZED);
    expect(fetched).toEqual([]);
  });

  test('[AU80] two of them in one header are none', async () => {
    const jwt = await sign();
    expect(await refusal(verifiers().pages.verify(undefined, `${jwt}, ${jwt}`))).toMatchObject(UNAUTHORIZED);
  });
});

describe('whom it names', () => {
  const api = async (claims: Record<string, unknown>) =>
    verifiers().api.verify(undefined, await sign({ aud: audiences.api, ...claims }));

  test('[AU81] a person by e-mail, a service by common name', async () => {
    expect(await api({ common_name: 'feeder' })).toEqual(ANN);
    expect(await api({ email: undefined, common_name: 'feeder' })).toEqual({
      auth: 'access-service',
      identity: 'feeder',
    });
  });

  test.each([
    [{ email: 'änn@example.org', common_name: 'feeder' }],
    [{ email: '', common_name: 'feeder' }],
    [{ email: undefined }],
    [{ email: undefined, common_name: '' }],
    [{ email: 7, common_name: 7 }],
  ])('[AU81] nobody by %j', async claims => {
    expect(await refusal(api(claims))).toMatchObject(UNAUTHORIZED);
  });

  test('[AU82] on pages the subject, the served tenant, and the admin who is listed', async () => {
    const { pages } = verifiers();
    const person = { tenant: 'acme', groups: [], metered: true };
    expect(await pages.verify(undefined, await sign())).toEqual({
      ...person,
      subject: ANN.identity,
      admin: false,
      grantIdentity: ANN,
    });
    expect(await pages.verify(undefined, await sign({ email: 'ROOT@example.org' }))).toMatchObject({ admin: true });
    const service = await pages.verify(undefined, await sign({ email: undefined, common_name: 'root@example.org' }));
    expect(service).toMatchObject({ subject: 'root@example.org', admin: false });
  });
});

describe('the keys of the team', () => {
  const unknown = () => sign({}, { header: { kid: 'two' } });

  test('[AU83] are not asked for again within a minute over an unknown key', async () => {
    const { pages } = verifiers();
    await pages.verify(undefined, await sign());
    clock.advance(59_999);
    expect(await refusal(pages.verify(undefined, await unknown()))).toMatchObject(UNAUTHORIZED);
    expect(fetched).toHaveLength(1);
    clock.advance(1);
    expect(await refusal(pages.verify(undefined, await unknown()))).toMatchObject(UNAUTHORIZED);
    expect(fetched).toHaveLength(2);
  });

  test('[AU83] are used for ten minutes', async () => {
    const { pages } = verifiers();
    await pages.verify(undefined, await sign());
    answer = async () => new Response('', { status: 500 });
    clock.advance(10 * 60_000 - 1);
    expect(await pages.verify(undefined, await sign())).toMatchObject({ subject: ANN.identity });
    clock.advance(2_000);
    expect(await refusal(pages.verify(undefined, await sign()))).toMatchObject({ code: 'internal' });
  });

  test.each([
    ['refused', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a fault', async () => new Response('', { status: 503 })],
    ['no keys', async () => new Response('<html>')],
  ])('[AU83] that cannot be had are a fault of ours: %s', async (_what, broken) => {
    answer = broken;
    const { pages, api, person } = verifiers();
    const internal = { code: 'internal', message: 'internal error' };
    expect(await refusal(pages.verify(undefined, await sign()))).toMatchObject(internal);
    expect(await refusal(api.verify(undefined, await sign()))).toMatchObject(internal);
    expect(await refusal(person(await sign()))).toMatchObject(internal);
  });
});

describe('bearers behind Access', () => {
  test('[AU84] only those of services are anybody', async () => {
    const { pages, api } = verifiers();
    for (const header of [undefined, `Bearer ${'x'.repeat(40)}`, `Bearer ${await sign()}`, 'Basic YTpi']) {
      expect(await refusal(pages.verify(header))).toMatchObject(UNAUTHORIZED);
      expect(await refusal(api.verify(header, undefined))).toMatchObject(UNAUTHORIZED);
    }
    expect(await pages.verify(`Bearer ${SERVICE}`)).toMatchObject({ subject: 'service:2', admin: false });
    expect(await api.verify(`Bearer ${SERVICE}`, undefined)).toMatchObject({ auth: 'bearer' });
  });

  test('[AU75] one beside a JWT is refused', async () => {
    const { pages, api, person } = verifiers();
    const header = `Bearer ${SERVICE}`;
    expect(await refusal(pages.verify(header, await sign()))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(api.verify(header, await sign({ aud: audiences.api })))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(person(await sign({ aud: audiences.approval }), header))).toMatchObject(UNAUTHORIZED);
  });
});

describe('people who decide', () => {
  const aud = audiences.approval;

  test('[AU94] are whom the header names, with a token for their forms', async () => {
    const { person, csrfHolds } = verifiers();
    const ann = (await person(await sign({ aud }), undefined, '__Host-gn_session=a.b; __Host-gn_session=c'))!;
    const csrf = createHmac('sha256', SECRET).update(`csrf\0${ANN.identity}`).digest('base64url');
    expect(ann).toEqual({ identity: ANN.identity, csrf });
    expect(csrfHolds(ann, csrf)).toBe(true);
  });

  test('[AU94] are nobody without the header, whatever cookie there is', async () => {
    expect(await verifiers().person(undefined, undefined, '__Host-gn_session=a.b')).toBeUndefined();
    expect(await verifiers().person(undefined, `Bearer ${await sign({ aud })}`)).toBeUndefined();
  });

  test('[AU94] are no services', async () => {
    const { person } = verifiers();
    const service = (common_name: string) => sign({ aud, email: undefined, common_name });
    expect(await refusal(person(await service('feeder')))).toMatchObject({ code: 'channel-not-allowed' });
    expect(await refusal(person(await service('stranger')))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(person(undefined, `Bearer ${SERVICE}`))).toMatchObject({ code: 'channel-not-allowed' });
  });
});
