import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { fetchText } from './fetch-text.ts';

/** What the issuer says about itself, as far as a sign-in needs it (OpenID Connect Discovery 1.0). */
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});
export type Metadata = z.output<typeof Metadata>;

const LIFE_MS = 10 * 60_000;
export const SIGN_IN_TIMEOUT_MS = 5_000;

/** The issuer's metadata, fetched when needed and kept for 10 minutes. `internal` when it cannot be had. */
export function providerMetadata(
  issuer: string,
  { clock, fetch, log }: { readonly clock: Clock; readonly fetch: typeof globalThis.fetch; readonly log?: Log },
): () => Promise<Metadata> {
  const uri = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let kept: { readonly metadata: Metadata; readonly at: number } | undefined;
  return async () => {
    const now = clock().getTime();
    if (kept && now >= kept.at && now < kept.at + LIFE_MS) return kept.metadata;
    try {
      const metadata = Metadata.parse(JSON.parse(await fetchText(uri, SIGN_IN_TIMEOUT_MS, fetch)));
      if (metadata.issuer !== issuer) throw new Error('it is the metadata of another issuer');
      kept = { metadata, at: now };
      return metadata;
    } catch (cause) {
      log?.warn({ uri, reason: String(cause) }, 'metadata of the issuer could not be fetched');
      throw new Failure('internal', 'internal error');
    }
  };
}
