import { z } from 'zod';
import { ScopeName, text } from '../schema.ts';

/** Rights in the order in which they are stored. */
export const RIGHTS = ['read', 'propose', 'decide'] as const;
export type Right = (typeof RIGHTS)[number];

/** How a caller proves to be the one a grant is for (contract 4.2). */
export const GrantAuth = z.enum(['email', 'access-service', 'bearer']);
export type GrantAuth = z.output<typeof GrantAuth>;

/** What a new grant is made of: a person signs in by e-mail address, a service otherwise, and never decides. */
export const NewGrant = z
  .object({
    kind: z.enum(['person', 'service']),
    auth: GrantAuth,
    /** An e-mail address, a common name, or the SHA-256 of a bearer as 64 hex digits. */
    identity: text(1, 320),
    scopes: z.array(ScopeName).min(1),
    rights: z.array(z.enum(RIGHTS)).min(1),
    label: text(1, 200).nullable(),
  })
  .strict()
  .refine(
    grant => (grant.kind === 'person') === (grant.auth === 'email'),
    'a person, and nobody else, signs in by e-mail',
  )
  .refine(grant => grant.kind === 'person' || !grant.rights.includes('decide'), 'a service never decides');
export type NewGrant = z.output<typeof NewGrant>;

/** One row of the table of grants. */
export interface Grant {
  /** `<kind>:<number>`. */
  readonly id: string;
  readonly kind: 'person' | 'service';
  readonly auth: GrantAuth;
  readonly identity: string;
  readonly scopes: readonly string[];
  readonly rights: readonly Right[];
  readonly label: string | null;
  readonly active: boolean;
  readonly createdAt: string;
  readonly disabledAt: string | null;
}
