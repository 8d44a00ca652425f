import { z } from 'zod';
import { EMBEDDING_PROVIDERS } from '../auth/schema.ts';

/** The served tenant as an argument: its id or nothing (E093). */
export const tenantId = z.string().default('').describe('The served tenant, or empty for it. Any other is refused.');

export const status = z.enum(['active', 'suspended']);

const limit = z.int().positive().optional();

/** Overrides of the built-in limits. A misspelt key would silently leave a limit as it was, so unknown ones are refused. */
export const quotas = z.strictObject({
  queries_per_minute: limit,
  writes_per_minute: limit,
  embeds_per_minute: limit,
  concurrent_sessions: limit,
  /** 0: no limit (E080). */
  max_blob_bytes: z.int().nonnegative().optional(),
});

export const embeddingProvider = z.enum(EMBEDDING_PROVIDERS);

export const TenantSpec = z.object({
  tenant_id: z.string(),
  display_name: z.string(),
  status,
  quotas: quotas.optional().describe('Overrides, where there are any; a limit that is not named is the built-in one.'),
  embedding_provider: embeddingProvider.optional(),
});
export type TenantSpec = z.input<typeof TenantSpec>;
