import { approvalSessions } from '../../src/auth/index.ts';
import { startIssuer } from '../support/issuer.ts';
import { accessJwt, bearer, cookie, type Credential } from './surfaces.ts';
import type { Mode } from './tables.ts';
import { SECRETS, world, type Answer, type World } from './world.ts';

/** A server in one mode, and every credential of its table. */
export interface Scene {
  readonly world: World;
  readonly ruleId: string;
  readonly credentials: Readonly<Record<string, Credential>>;
  end(): Promise<void>;
}

const ANN = 'ann@example.org';
const PERSON = { kind: 'person', auth: 'email', rights: ['read', 'propose', 'decide'] } as const;
const SERVICE = { kind: 'service', auth: 'bearer', rights: ['read', 'propose'] } as const;
const RULES = { CAIRN_SESSION_SECRET: SECRETS.session, CAIRN_OPS_TOKEN: SECRETS.ops } as const;
const JWT = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.e30.c2ln';

const shows = (...parts: Credential['lines'][]): Credential => ({ lines: parts.flat() });
const pairOf = ({ headers }: Answer, name: string): string =>
  (headers['set-cookie'] as string[])
    .find(line => line.startsWith(`${name}=`) && !line.startsWith(`${name}=;`))!
    .split(';')[0]!;

export const SCENES: Readonly<Record<Mode, () => Promise<Scene>>> = {
  'dev-token': devToken,
  oidc,
  'cloudflare-access': cloudflareAccess,
  open,
};

async function devToken(): Promise<Scene> {
  const here = await world({
    env: {
      ...RULES,
      CAIRN_AUTH_MODE: 'dev-token',
      CAIRN_DEV_IDENTITY: ANN,
      CAIRN_DEV_MCP_TOKEN: SECRETS.mcp,
      CAIRN_DEV_ADMIN_TOKEN: SECRETS.admin,
      CAIRN_DEV_API_TOKEN: SECRETS.api,
      CAIRN_DEV_APPROVAL_TOKEN: SECRETS.approval,
    },
  });
  await here.grant({ ...PERSON, identity: ANN });
  const service = bearer((await here.grant(SERVICE)).bearer);
  const disabled = await here.grant(SERVICE);
  await here.operator(`POST /ops/grants/${disabled.id}/disable`);
  const signedIn = await here.send({
    method: 'POST',
    path: '/approval/login',
    lines: [['content-type', 'application/json']],
    body: JSON.stringify({ token: SECRETS.approval }),
  });
  const pair = pairOf(signedIn, 'gn_session');
  const { csrf } = JSON.parse(signedIn.text) as { csrf: string };
  const session = cookie(pair);
  const foreign = sessionsOf(here, 'other-secret-of-at-least-32-characters').issueSession(ANN).split(';')[0]!;
  const [agent, api] = [bearer(SECRETS.mcp), bearer(SECRETS.api)];
  return {
    world: here,
    ruleId: await here.propose(api),
    credentials: {
      nobody: shows(),
      'agent token': shows(agent),
      'admin token': shows(bearer(SECRETS.admin)),
      'API token': shows(api),
      'approval token as bearer': shows(bearer(SECRETS.approval)),
      'session secret as bearer': shows(bearer(SECRETS.session)),
      'operator token': shows(bearer(SECRETS.ops)),
      service: { ...shows(service), csrf },
      'service, grant disabled': shows(bearer(disabled.bearer)),
      'service, no grant': shows(bearer(`gn_${'x'.repeat(43)}`)),
      session: { ...shows(session), csrf },
      'session as bearer': { ...shows(bearer(pair.slice('gn_session='.length))), csrf },
      'session of another secret': { ...shows(cookie(foreign)), csrf },
      'agent token as session': shows(cookie(`gn_session=${SECRETS.mcp}`)),
      'Access JWT': shows(accessJwt(JWT)),
      'agent token twice': shows(agent, agent),
      'agent and API token': shows(agent, api),
      'agent token and Access JWT': shows(agent, accessJwt(JWT)),
      'API token and Access JWT': shows(api, accessJwt(JWT)),
      'service and Access JWT': shows(service, accessJwt(JWT)),
      'operator token twice': shows(bearer(SECRETS.ops), bearer(SECRETS.ops)),
      'session and agent token': { ...shows(session, agent), csrf },
      'session and service': { ...shows(session, service), csrf },
      'session and Access JWT': { ...shows(session, accessJwt(JWT)), csrf },
      'session twice': { ...shows(cookie(`${pair}; ${pair}`)), csrf },
    },
    end: here.end,
  };
}

async function oidc(): Promise<Scene> {
  const [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
  const here = await world({
    env: {
      ...RULES,
      CAIRN_AUTH_OIDC_ISSUER: issuer.issuer,
      CAIRN_AUTH_JWKS_URI: issuer.jwksUri,
      CAIRN_AUTH_APPROVAL_CLIENT_ID: issuer.signIn.clientId,
    },
  });
  issuer.signIn.redirectUri = `${here.publicUrl}/approval/login/callback`;
  await here.grant({ ...PERSON, identity: ANN });
  const service = bearer((await here.grant(SERVICE)).bearer);
  await here.grant({ ...PERSON, identity: 'carl@example.org', rights: ['read', 'propose'] });
  const dan = await here.grant({ ...PERSON, identity: 'dan@example.org' });
  await here.operator(`POST /ops/grants/${dan.id}/disable`);
  await here.grant({ kind: 'service', auth: 'access-service', identity: 'robot', rights: ['read'] });

  const token = async (claims: Record<string, unknown>, options = {}) => bearer(await issuer.token(claims, options));
  const named = (name: string) => token({ sub: name, email: `${name}@example.org` });
  /** Through the issuer, as a browser goes. */
  async function session(name: string): Promise<Credential & { readonly value: string }> {
    issuer.signIn.person = { sub: name, email: `${name}@example.org` };
    const begun = await here.send({ path: '/approval/login' });
    const back = new URL(await issuer.visit(begun.headers['location'] as string));
    const lines = cookie(pairOf(begun, 'gn_login'));
    const signedIn = await here.send({ path: `${back.pathname}${back.search}`, lines });
    const pair = pairOf(signedIn, 'gn_session');
    const person = await sessionsOf(here).person({ cookie: pair, authorization: undefined, accessJwt: undefined });
    return { lines: cookie(pair), csrf: person!.csrf, value: pair.slice('gn_session='.length) };
  }
  const [ann, annIn] = [await named('ann'), await session('ann')];
  const besides = (...more: Credential['lines'][]): Credential => ({
    ...shows(annIn.lines, ...more),
    csrf: annIn.csrf!,
  });
  return {
    world: here,
    ruleId: await here.propose(ann),
    credentials: {
      nobody: shows(),
      person: shows(ann),
      'person, admin': shows(await token({ email: ANN, roles: ['escurel:admin'] })),
      'person, no grant': shows(await named('bob')),
      'person, grant disabled': shows(await named('dan')),
      'person, e-mail unverified': shows(await token({ email: ANN, email_verified: false })),
      'service by client id': shows(await token({ sub: 'robot-user', client_id: 'robot' })),
      'other tenant': shows(await token({ email: ANN, tenant: 'other' })),
      expired: shows(await token({ email: ANN }, { expiresInSecs: -1 })),
      'of another issuer': shows(bearer(await other.token({ email: ANN, iss: issuer.issuer }))),
      'for the approval client': shows(await token({ email: ANN, aud: issuer.signIn.clientId })),
      'operator token': shows(bearer(SECRETS.ops)),
      service: shows(service),
      session: annIn,
      'session, may not decide': await session('carl'),
      'session, no grant': await session('bob'),
      'session, grant disabled': await session('dan'),
      'session as bearer': { ...shows(bearer(annIn.value)), csrf: annIn.csrf! },
      'person as Access JWT': shows(accessJwt(await issuer.token({ email: ANN }))),
      'person and Access JWT': shows(ann, accessJwt(JWT)),
      'person and service': shows(ann, service),
      'person twice': shows(ann, ann),
      'session and person': besides(ann),
      'session and Access JWT': besides(accessJwt(JWT)),
    },
    async end() {
      await here.end();
      await Promise.all([issuer.stop(), other.stop()]);
    },
  };
}

const TEAM = 'https://team.cloudflareaccess.com';
const AUD = { mcp: 'aud-mcp', api: 'aud-api', approval: 'aud-approval' } as const;

async function cloudflareAccess(): Promise<Scene> {
  const [keys, otherKeys] = await Promise.all([startIssuer(), startIssuer()]);
  const here = await world({
    env: { ...RULES, CAIRN_AUTH_MODE: 'cloudflare-access' },
    config: {
      public_url: 'https://localhost:8080',
      admins: ['root@example.org'],
      access: { team_domain: TEAM, aud_mcp: AUD.mcp, aud_api: AUD.api, aud_approval: AUD.approval },
    },
    fetch: url =>
      String(url) === `${TEAM}/cdn-cgi/access/certs`
        ? fetch(keys.jwksUri)
        : Promise.reject(new TypeError('no such host')),
  });
  await here.grant({ ...PERSON, identity: ANN });
  await here.grant({ kind: 'service', auth: 'access-service', identity: 'feeder', rights: ['read', 'propose'] });
  const service = bearer((await here.grant(SERVICE)).bearer);
  const signed = (claims: Record<string, unknown>, by = keys): Promise<string> =>
    by.token({ iss: TEAM, tenant: undefined, ...claims }, { alg: 'RS256' });
  const person = async (aud: string, email = ANN) => accessJwt(await signed({ aud: [aud], email }));
  const robot = async (aud: string, common_name = 'feeder') => accessJwt(await signed({ aud: [aud], common_name }));
  const every = { aud: Object.values(AUD), email: ANN };
  const session = sessionsOf(here).issueSession(ANN).split(';')[0]!;
  const csrf = (await sessionsOf(here).person({ cookie: session, authorization: undefined, accessJwt: undefined }))!
    .csrf;
  return {
    world: here,
    ruleId: await here.propose(await person(AUD.api)),
    credentials: {
      nobody: shows(),
      'person on mcp': shows(await person(AUD.mcp)),
      'person on api': shows(await person(AUD.api)),
      'person on approval': { ...shows(await person(AUD.approval)), csrf },
      'admin on mcp': shows(await person(AUD.mcp, 'Root@example.org')),
      'person on mcp, no grant': shows(await person(AUD.mcp, 'bob@example.org')),
      'person on api, no grant': shows(await person(AUD.api, 'bob@example.org')),
      'person on approval, no grant': shows(await person(AUD.approval, 'bob@example.org')),
      'service on mcp': shows(await robot(AUD.mcp)),
      'service on api': shows(await robot(AUD.api)),
      'service on approval': { ...shows(await robot(AUD.approval)), csrf },
      'stranger service on approval': shows(await robot(AUD.approval, 'stranger')),
      'for every channel, as bearer': { ...shows(bearer(await signed(every))), csrf },
      'of another team': { ...shows(accessJwt(await signed(every, otherKeys))), csrf },
      'operator token': shows(bearer(SECRETS.ops)),
      'service bearer': shows(service),
      'service bearer and JWT': { ...shows(service, accessJwt(await signed(every))), csrf },
      'JWT twice': { ...shows(accessJwt(await signed(every)), accessJwt(await signed(every))), csrf },
      session: { ...shows(cookie(session)), csrf },
      'person on approval, session': { ...shows(await person(AUD.approval), cookie(session)), csrf },
    },
    async end() {
      await here.end();
      await Promise.all([keys.stop(), otherKeys.stop()]);
    },
  };
}

async function open(): Promise<Scene> {
  const here = await world({ env: { CAIRN_AUTH_MODE: 'open' } });
  return {
    world: here,
    ruleId: 'sales-0001',
    credentials: {
      nobody: shows(),
      anything: shows(bearer('anything')),
      'two things': shows(bearer(`gn_${'a'.repeat(43)}`), accessJwt(JWT), cookie('gn_session=x')),
    },
    end: here.end,
  };
}

/** Sessions as the server makes them, or as somebody would who guesses its secret. */
const sessionsOf = ({ publicUrl }: World, secret: string = SECRETS.session) =>
  approvalSessions({ secret, publicUrl, clock: () => new Date(), grantOf: async () => undefined });
