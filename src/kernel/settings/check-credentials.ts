import { sourceText } from './candidate.ts';
import type { Values } from './merge.ts';
import { KEYS, rowOf, usualVariable, type Key } from './names.ts';
import type { Refusal, RefusalCode, Warning } from './refusal.ts';

export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
const DEV_KEYS = KEYS.filter(key => key.startsWith('dev.'));

/** The mode and what it needs (contract of the rules, section 3; rules-gaps 11), and that no two secrets are one. */
export function checkCredentials(values: Values): readonly Refusal[] {
  return [...ofMode(values), ...loopback(values), ...sharedSecrets(values), ...sharedAudience(values)];
}

/** Settings of mode dev-token that another mode does not read. Cloudflare Access refuses them outright. */
export function unusedDevSettings(values: Values): readonly Warning[] {
  const mode = values.get('auth.mode');
  if (mode === 'dev-token') return [];
  return DEV_KEYS.filter(key => values.isGiven(key)).map(key => ({
    code: 'dev-variable-unused',
    message: `${sourceText(values.source(key))} has no effect in mode ${mode}`,
  }));
}

function ofMode(values: Values): Refusal[] {
  switch (values.get('auth.mode')) {
    case null:
      return refuse(
        true,
        'auth-mode-missing',
        'CAIRN_AUTH_MODE is not set; it is dev-token, oidc, cloudflare-access or open',
      );
    case 'dev-token':
      return [...needs(values, 'dev.mcp_token'), ...needs(values, 'dev.identity')];
    case 'oidc':
      return needs(values, 'auth.oidc.issuer');
    case 'cloudflare-access':
      return ofCloudflareAccess(values);
    case 'open':
      return [];
  }
}

function ofCloudflareAccess(values: Values): Refusal[] {
  const dev = DEV_KEYS.filter(key => values.isGiven(key)).map(key => sourceText(values.source(key)));
  const access = values.get('access');
  const https = values.get('public_url')?.startsWith('https://') ?? false;
  return [
    ...refuse(access === null, 'access-missing', 'mode cloudflare-access needs access in cairn.json'),
    ...refuse(
      access !== null && !access.team_domain.startsWith('https://'),
      'team-domain-not-https',
      'access.team_domain must be an https address',
    ),
    ...refuse(!https, 'public-url-not-https', 'mode cloudflare-access needs public_url to be an https address'),
    ...refuse(dev.length > 0, 'dev-variables-set', `mode cloudflare-access does not start with ${dev.join(', ')}`),
  ];
}

function loopback(values: Values): Refusal[] {
  const mode = values.get('auth.mode');
  const host = values.get('server.host');
  if (LOOPBACK.has(host.toLowerCase())) return [];
  const asked = `mode ${mode} listens on loopback only, but ${sourceText(values.source('server.host'))} is ${host}`;
  const allowed = values.get('dev.allow_non_loopback');
  return [
    ...refuse(mode === 'open', 'host-not-loopback', asked),
    ...refuse(
      mode === 'dev-token' && !allowed,
      'host-not-loopback',
      `${asked}; CAIRN_DEV_ALLOW_NON_LOOPBACK=true allows it`,
    ),
  ];
}

function sharedSecrets(values: Values): Refusal[] {
  const bySecret = new Map<unknown, string[]>();
  for (const key of KEYS.filter(one => rowOf(one).distinct && values.get(one) !== null)) {
    bySecret.set(values.get(key), [...(bySecret.get(values.get(key)) ?? []), sourceText(values.source(key))]);
  }
  return [...bySecret.values()].flatMap(names =>
    refuse(names.length > 1, 'secrets-equal', `${names.join(' and ')} hold the same secret; each needs its own`),
  );
}

function sharedAudience(values: Values): Refusal[] {
  const client = values.get('auth.approval_client_id');
  const access = values.get('access');
  const others = [values.get('auth.oidc.audience'), access?.aud_mcp, access?.aud_api];
  const message = 'CAIRN_AUTH_APPROVAL_CLIENT_ID is the audience of another channel as well; it needs its own';
  return refuse(client !== null && others.includes(client), 'audiences-equal', message);
}

function needs(values: Values, key: Key): Refusal[] {
  const code = rowOf(key).secret ? 'secret-missing' : 'setting-missing';
  return refuse(
    values.get(key) === null,
    code,
    `${usualVariable(rowOf(key))} is not set; mode ${values.get('auth.mode')} needs it`,
  );
}

const refuse = (when: boolean, code: RefusalCode, message: string): Refusal[] => (when ? [{ code, message }] : []);
