import type { Context } from 'oidc-provider';

/** The application that people sign in to, and what the provider knows of the one who is at the browser. */
export interface SignIn {
  clientId: string;
  /** Absent: a public client. */
  clientSecret?: string;
  secretGoesIn?: 'header' | 'form';
  redirectUri: string;
  /** Claims of the id token beside the usual ones; `sub` names the account. */
  person: Readonly<Record<string, unknown>>;
}

/** Nothing survives the provider; clients are asked for anew each time, so that tests may change them. */
export function memory(signIn: () => SignIn) {
  const kept = new Map<string, Map<string, Record<string, unknown>>>();
  return (model: string) => {
    const rows = kept.get(model) ?? new Map<string, Record<string, unknown>>();
    kept.set(model, rows);
    return {
      async upsert(id: string, payload: Record<string, unknown>) {
        rows.set(id, payload);
      },
      async find(id: string) {
        return model === 'Client' && id === signIn().clientId ? client(signIn()) : rows.get(id);
      },
      async findByUid(uid: string) {
        return [...rows.values()].find(row => row['uid'] === uid);
      },
      async consume(id: string) {
        const row = rows.get(id);
        if (row) row['consumed'] = Math.floor(Date.now() / 1000);
      },
      async destroy(id: string) {
        rows.delete(id);
      },
      async revokeByGrantId(grantId: string) {
        for (const [id, row] of rows) if (row['grantId'] === grantId) rows.delete(id);
      },
    };
  };
}

function client({ clientId, clientSecret, secretGoesIn = 'header', redirectUri }: SignIn): Record<string, unknown> {
  const inForm = secretGoesIn === 'form';
  return {
    client_id: clientId,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method:
      clientSecret === undefined ? 'none' : inForm ? 'client_secret_post' : 'client_secret_basic',
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  };
}

/** Configuration of a provider whose one person is signed in as soon as they are asked. */
export const peopleOf = (signIn: () => SignIn) => ({
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  cookies: { keys: ['cookies of the tests'] },
  interactions: { url: (_context: Context, { uid }: { uid: string }) => `${INTERACTION}${uid}` },
  findAccount: (_context: Context, accountId: string) => ({
    accountId,
    claims: () => ({ ...signIn().person, sub: accountId }),
  }),
  async loadExistingGrant({ oidc }: Context) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid email');
    await grant.save();
    return grant;
  },
});

export const INTERACTION = '/interaction/';

/** Follows redirects with a cookie jar, as a browser does, until they leave `origin`. The address that they leave for. */
export async function followWithin(origin: string, location: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = new URL(location);
  for (let step = 0; step < 10 && url.origin === origin; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.slice(0, line.indexOf(';')).split('=');
      jar.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`${url.href} answered ${answer.status}: ${await answer.text()}`);
    url = new URL(next, url);
  }
  return url.href;
}
