import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  devApiVerifier,
  devTokenVerifier,
  grantsOf,
  openVerifier,
  withServices,
  withServicesOnApi,
} from '../../src/auth/index.ts';
import type { GrantOf } from '../../src/auth/ports.ts';
import { startIssuer, type TestIssuer } from '../support/issuer.ts';
import { refusal } from '../support/refusal.ts';
import { handClock, verifierFor } from './oidc-setup.ts';

const AGENT = 'agent-token-of-at-least-32-characters';
const ADMIN = 'admin-token-of-at-least-32-characters';
const API = 'api-token-that-has-32-characters-too';
const ANN = { auth: 'email', identity: 'ann@example.org' } as const;
const SERVICE = `gn_${'Ab3-_'.repeat(8)}xyz`;
const HASH = createHash('sha256').update(SERVICE).digest('hex');
const UNAUTHORIZED = { code: 'unauthorized' };

const grantOf: GrantOf = async ({ auth, identity }) =>
  auth === 'bearer' && identity === HASH ? { id: 'service:3' } : undefined;
const bearer = (token: string): string => `Bearer ${token}`;

const devPages = devTokenVerifier({ tenant: 'acme', identity: ANN.identity, mcpToken: AGENT, adminToken: ADMIN });
const pages = withServices(devPages, 'acme', grantOf);
const api = withServicesOnApi(devApiVerifier({ identity: ANN.identity, apiToken: API }));

describe('dev tokens', () => {
  test('[AU70] the agent token stands for the grant of its identity, the admin token for none', async () => {
    expect((await devPages.verify(bearer(AGENT))).grantIdentity).toEqual(ANN);
    expect(await devPages.verify(bearer(ADMIN))).not.toHaveProperty('grantIdentity');
  });

  test('[AU70] /v1 knows the API token alone', async () => {
    expect(await api.verify(bearer(API), undefined)).toEqual(ANN);
    for (const header of [undefined, bearer(AGENT), bearer(ADMIN), API, `Basic ${API}`])
      expect(await refusal(api.verify(header, undefined))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(pages.verify(bearer(API)))).toMatchObject(UNAUTHORIZED);
  });
});

describe('tokens of an issuer', () => {
  const clock = handClock();
  let issuer: TestIssuer;
  let verifier: ReturnType<typeof verifierFor>;
  beforeAll(async () => {
    issuer = await startIssuer();
    verifier = verifierFor([issuer.issuer], { clock });
  });
  afterAll(() => issuer.stop());
  const signed = async (claims: Record<string, unknown>) => bearer(await issuer.token(claims, { now: clock() }));
  const onApi = async (claims: Record<string, unknown>) => grantsOf(verifier).verify(await signed(claims), undefined);

  test.each([
    [{ email: 'Ann@Example.org' }, ANN],
    [{ email: 'ann@example.org', email_verified: true, client_id: 'web' }, ANN],
    [{ email: 'ann@example.org', email_verified: false, client_id: 'web', azp: 'app' }, 'web'],
    [{ email: 'ann@example.org', email_verified: 'false', azp: 'app' }, 'app'],
    [{ email: '', azp: 'app' }, 'app'],
    [{ email: ['ann@example.org'] }, 'ann'],
    [{ client_id: 7, azp: '' }, 'ann'],
    [{}, 'ann'],
  ])('[AU71] %j stands for %j', async (claims, stands) => {
    const identity = typeof stands === 'string' ? { auth: 'access-service', identity: stands } : stands;
    expect((await verifier.verify(await signed(claims))).grantIdentity).toEqual(identity);
    expect(await onApi(claims)).toEqual(identity);
  });

  test.each(['änn@example.org', 'аnn@example.org', 'ann@example.org\n', 'an n@example.org', '\u0000'])(
    '[AU72] the e-mail %j is nobody',
    async email => {
      expect(await verifier.verify(await signed({ email, client_id: 'web' }))).not.toHaveProperty('grantIdentity');
      expect(await refusal(onApi({ email, client_id: 'web' }))).toMatchObject(UNAUTHORIZED);
    },
  );

  test('[AU73] one that nobody can check is a fault of ours on /v1', async () => {
    const down = verifierFor([issuer.issuer], { clock, fetch: () => Promise.reject(new TypeError('fetch failed')) });
    const header = await signed({ email: ANN.identity });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await refusal(grantsOf(down).verify(header, undefined))).toMatchObject({ code: 'internal' });
      expect(await refusal(down.verify(header))).toMatchObject(UNAUTHORIZED);
    }
  });

  test('[AU73] another tenant is forbidden on pages and unauthorized on /v1', async () => {
    const claims = { tenant: 'other', email: ANN.identity };
    expect(await refusal(verifier.verify(await signed(claims)))).toMatchObject({ code: 'forbidden' });
    expect(await refusal(onApi(claims))).toMatchObject(UNAUTHORIZED);
  });
});

describe('services by bearer', () => {
  test('[AU74] one with a grant is a caller of pages under the id of the grant', async () => {
    expect(await pages.verify(bearer(SERVICE))).toEqual({
      tenant: 'acme',
      subject: 'service:3',
      groups: [],
      admin: false,
      metered: true,
      grantIdentity: { auth: 'bearer', identity: HASH },
    });
    expect(await api.verify(`bearer ${SERVICE}`, undefined)).toEqual({ auth: 'bearer', identity: HASH });
  });

  test('[AU74] one without a grant is refused on pages, and known by its hash on /v1', async () => {
    const other = `gn_${'a'.repeat(43)}`;
    expect(await refusal(pages.verify(bearer(other)))).toMatchObject(UNAUTHORIZED);
    expect((await api.verify(bearer(other), undefined)).identity).not.toBe(HASH);
  });

  test.each([SERVICE.slice(0, -1), `${SERVICE}a`, SERVICE.toUpperCase(), SERVICE.slice(3), SERVICE.replace('-', '+')])(
    '[AU74] %j has not the form of one',
    async token => {
      for (const verdict of [pages.verify(bearer(token)), api.verify(bearer(token), undefined)])
        expect(await refusal(verdict)).toMatchObject({
          code: 'unauthorized',
          message: expect.not.stringContaining('gn_'),
        });
    },
  );
});

describe('two credentials', () => {
  const jwt = 'e30.e30.c2ln';
  test.each([AGENT, ADMIN, API, SERVICE, 'anything'])('[AU75] %s beside a JWT of Access', async token => {
    expect(await refusal(pages.verify(bearer(token), jwt))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(api.verify(bearer(token), jwt))).toMatchObject(UNAUTHORIZED);
  });

  test.each([`${bearer(SERVICE)}, ${bearer(SERVICE)}`, `${bearer(SERVICE)}, ${bearer(API)}`, `${bearer(API)},${API}`])(
    '[AU75] %s',
    async header => {
      expect(await refusal(pages.verify(header))).toMatchObject(UNAUTHORIZED);
      expect(await refusal(api.verify(header, undefined))).toMatchObject(UNAUTHORIZED);
    },
  );

  test('[AU75] an empty header is none, and a JWT of Access alone is none in other modes', async () => {
    expect(await pages.verify(bearer(AGENT), '')).toMatchObject({ subject: ANN.identity });
    expect(await refusal(pages.verify(undefined, jwt))).toMatchObject(UNAUTHORIZED);
    expect(await refusal(api.verify('', jwt))).toMatchObject(UNAUTHORIZED);
  });

  test('[AU5] an open gateway looks at none of them', async () => {
    const open = openVerifier({ tenant: 'acme' });
    expect(await open.verify(bearer(SERVICE), jwt)).toMatchObject({ subject: 'anonymous' });
    expect(await open.verify(undefined)).not.toHaveProperty('grantIdentity');
  });
});
