import type { Verifier } from './ports.ts';

/** Takes every caller for an unmetered admin called `anonymous` (E039). Settings allow it on loopback only. */
export function openVerifier(options: { readonly tenant: string }): Verifier {
  const principal = { tenant: options.tenant, subject: 'anonymous', groups: [], admin: true, metered: false };
  return { verify: async () => principal };
}
