import { z } from 'zod';
import { RIGHTS } from '../grants/schema.ts';
import { Instant, ScopeName } from '../schema.ts';

const Counts = z.object({ proposed: z.int(), confirmed: z.int(), superseded: z.int() }).strict();

/** What is told of one scope; counts and the last write are null while it is locked or was never made. */
const ScopeStatus = z
  .object({
    scope: ScopeName,
    created: z.boolean(),
    locked: z.boolean(),
    lock_reason: z.string().nullable(),
    counts: Counts.nullable(),
    last_write: Instant.nullable(),
  })
  .strict();

export const Nothing = z.object({}).strict();

export const ScopeList = z
  .object({
    scopes: z.array(
      ScopeStatus.pick({ scope: true, locked: true, counts: true })
        .extend({ rights: z.array(z.enum(RIGHTS)), approval_mode: z.literal('manual') })
        .strict(),
    ),
  })
  .strict();

const Check = z
  .object({ id: z.string(), status: z.enum(['ok', 'warn']), message: z.string(), remedy: z.string().nullable() })
  .strict();
export type Check = z.output<typeof Check>;

export const StatusOut = z
  .object({
    instance: ScopeName,
    zone: z.string(),
    version: z.string(),
    stages: z.object({ b: z.enum(['on', 'off']), c: z.enum(['on', 'off']) }).strict(),
    scopes: z.array(ScopeStatus.extend({ checks: z.array(Check) }).strict()),
  })
  .strict();
