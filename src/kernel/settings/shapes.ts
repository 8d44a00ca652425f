import { z } from 'zod';
import { url } from './kinds-address.ts';

/** Nested values of cairn.json, strict, as the contract of the rules (section 3) and rules-gaps 7 state them. */

const webUrl = z.string().refine(value => url().text(value).ok, 'an http or https URL without user name and password');
const scopeName = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'a scope name: a-z first, then a-z, 0-9 and -');
const absolutePath = z.string().refine(value => /^(\/|[A-Za-z]:[\\/])/.test(value), 'an absolute path');
const unique = <T>(values: readonly T[]): boolean => new Set(values).size === values.length;
const off = z.strictObject({ enabled: z.literal(false) });
const weight = z.number().min(0).max(10);
const switches = <const K extends string>(...names: readonly K[]) =>
  z.strictObject(
    Object.fromEntries(names.map(name => [name, z.boolean().optional()])) as Record<K, z.ZodOptional<z.ZodBoolean>>,
  );
const weights = <const K extends string>(...names: readonly K[]) =>
  z.strictObject(
    Object.fromEntries(names.map(name => [name, weight.optional()])) as Record<K, z.ZodOptional<z.ZodNumber>>,
  );

export const MORE_ISSUERS = z.array(z.strictObject({ issuer: webUrl, jwks_uri: webUrl.optional() })).readonly();

export const ACCESS = z
  .strictObject({
    team_domain: webUrl,
    aud_mcp: z.string().min(1),
    aud_approval: z.string().min(1),
    aud_api: z.string().min(1),
  })
  .refine(value => unique([value.aud_mcp, value.aud_approval, value.aud_api]), 'three different audiences');

export const SCOPES = z
  .array(
    z.strictObject({
      name: scopeName,
      providers_allowed: z.array(z.enum(['local', 'voyage', 'openai', 'jina', 'typesafe'])),
      reranker: z.boolean().default(false),
    }),
  )
  .min(1)
  .refine(scopes => unique(scopes.map(scope => scope.name)), 'two scopes of one name');

export const SYNONYMS = z.array(z.array(z.string().min(1)).min(2));
export const LANGUAGES = z
  .array(z.enum(['de', 'en']))
  .min(1)
  .readonly();
export const ADMINS = z.array(z.email()).readonly();

export const LEXICAL = z.strictObject({
  features: switches(
    'stem',
    'decompound',
    'normalize',
    'trigram',
    'fuzzy',
    'synonyms',
    'validity',
    'keyterms',
    'prf',
  ).optional(),
  field_weights: z.tuple([weight, weight, weight, weight]).optional(),
  fusion: z.enum(['score', 'rrf']).optional(),
  rrf_k: z.int().min(1).max(1000).optional(),
  sub_weights: weights('word', 'stem', 'tri', 'fuzzy', 'syn', 'prf').optional(),
  max_key_terms: z.int().min(1).max(12).optional(),
  long_text_tokens: z.int().min(1).max(10_000).optional(),
  max_fuzzy_terms: z.int().min(0).max(12).optional(),
});

export const SEMANTIC = z.discriminatedUnion('enabled', [
  off,
  z.strictObject({
    enabled: z.literal(true),
    // A model folder may be named as well as the two models of the contract (deviations, "Between the two contracts").
    model: z.string().min(1).default('bge-m3'),
    model_dir: z.string().min(1).optional(),
  }),
]);

export const RERANKER = z.discriminatedUnion('enabled', [
  off,
  z.strictObject({
    enabled: z.literal(true),
    provider: z.literal('typesafe').default('typesafe'),
    model: z.enum(['jev-1.14.0']).default('jev-1.14.0'),
    monthly_cap_usd: z.number().min(0).max(1000).default(5),
    timeout_ms: z.int().min(100).max(5000).default(1000),
    threshold: z.number().min(0).max(1).default(0.5),
  }),
]);

export const ENTITY_TYPES = z
  .array(z.string().regex(/^[a-z][a-z0-9_]{1,29}$/, 'an entity type: a-z first, then a-z, 0-9 and _'))
  .min(1)
  .refine(unique, 'an entity type stands twice');

export const CONFIDENCE = z.number().min(0).max(1).nullable();

export const BACKUP = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('litestream'),
    target: z.url(),
    prefix: z.string().min(1),
    deadman_url: webUrl,
    export_directory: absolutePath.optional(),
  }),
  z.strictObject({
    kind: z.literal('copy'),
    directory: z.string().min(1),
    deadman_url: webUrl,
    export_directory: absolutePath.optional(),
  }),
]);

export const AT_REST = z.strictObject({ kind: z.literal('volume'), attested_at: z.iso.date().optional() });

const approvalMode = z.enum(['autonomous', 'classified', 'manual']);
const approvalClass = z.enum(['routine', 'personal', 'legal', 'finance', 'security', 'pricing']);

// The mandatory exceptions have no key here, so a configuration that names one is refused (invariant 12).
export const APPROVAL = z.strictObject({
  default_mode: approvalMode.optional(),
  scopes: z
    .record(
      scopeName,
      z.strictObject({
        mode: approvalMode.optional(),
        daily_limit: z.int().min(1).max(100_000).optional(),
        classes: z.partialRecord(approvalClass, z.literal('manual')).optional(),
      }),
    )
    .optional(),
  internal_domains: z.array(z.string().min(1)).optional(),
  large_subtree: z.int().min(1).max(1_000_000).optional(),
});
