import { LOOPBACK } from './check-credentials.ts';
import type { Values } from './merge.ts';
import { rowOf, usualVariable, type Key } from './names.ts';
import type { Refusal, RefusalCode, Warning } from './refusal.ts';
import { mountsRules } from './settings-rules.ts';

/** What the contract of the rules asks of a configuration that names scopes. */
const WITH_SCOPES = ['instance', 'zone', 'public_url', 'backup'] as const;

/** What a server that mounts rules cannot do without (rules contract 3, rules-gaps 12). `root` is what cairn.json holds. */
export function checkRules(values: Values, root: Readonly<Record<string, unknown>>): readonly Refusal[] {
  if (values.get('scopes') === null) return [];
  const absent = [
    ...WITH_SCOPES.filter(key => !values.isGiven(key)),
    ...(Object.hasOwn(root, 'search') ? [] : ['search']),
  ].map(key => refusal('config-invalid', `${key} is missing; a configuration with scopes needs it`));
  return mountsRules(values) ? [...absent, ...secrets(values), ...sessionsInTheOpen(values)] : absent;
}

/** Remarks on rules that somebody configured and nobody can use. */
export function unusedRules(values: Values): readonly Warning[] {
  if (values.get('scopes') === null) return [];
  const mode = values.get('auth.mode');
  if (mode === 'open') return [{ code: 'rules-not-mounted', message: 'scopes have no effect in mode open' }];
  if (mode !== 'oidc' || values.get('auth.approval_client_id') !== null) return [];
  const message = 'CAIRN_AUTH_APPROVAL_CLIENT_ID is not set: nobody can sign in to decide about a rule';
  return [{ code: 'approval-client-missing', message }];
}

function secrets(values: Values): Refusal[] {
  const dev = values.get('auth.mode') === 'dev-token' ? (['dev.api_token', 'dev.approval_token'] as const) : [];
  const needed: readonly Key[] = ['auth.session_secret', 'operator.token', ...dev];
  return needed
    .filter(key => values.get(key) === null)
    .map(key =>
      refusal('secret-missing', `${usualVariable(rowOf(key))} is not set; a configuration with scopes needs it`),
    );
}

/** The session cookie of people who decide would cross a network that others read (rules contract 5.3). */
function sessionsInTheOpen(values: Values): Refusal[] {
  const address = values.get('public_url');
  const mode = values.get('auth.mode');
  // Cloudflare Access asks for https by itself; dev-token may be allowed anywhere.
  if (address === null || mode === 'cloudflare-access') return [];
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || LOOPBACK.has(hostname.replace(/^\[|\]$/g, ''))) return [];
  if (mode === 'dev-token' && values.get('dev.allow_non_loopback')) return [];
  const message = 'public_url must be an https address, or one of this machine, where people sign in to decide';
  return [refusal('public-url-not-https', message)];
}

const refusal = (code: RefusalCode, message: string): Refusal => ({ code, message });
