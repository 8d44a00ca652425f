import { z } from 'zod';
import { GrantAuth, RIGHTS } from '../grants/schema.ts';
import { Instant, ScopeName, text } from '../schema.ts';

/** What the operator's socket takes and answers (contract 11, rules-gaps 10). */

export const GrantOut = z
  .object({
    id: z.string(),
    kind: z.enum(['person', 'service']),
    auth: GrantAuth,
    /** E-mail or common name; null for a bearer. */
    identity: z.string().nullable(),
    /** Of a bearer: `sha256:` and the first 12 hex digits of what is stored; else null. */
    fingerprint: z.string().nullable(),
    scopes: z.array(ScopeName),
    rights: z.array(z.enum(RIGHTS)),
    label: z.string().nullable(),
    active: z.boolean(),
    created_at: Instant,
    disabled_at: Instant.nullable(),
  })
  .strict();
export type GrantOut = z.output<typeof GrantOut>;

const Label = text(1, 200).nullable();

/** A person comes by e-mail, a service by the common name of its Access token or by a bearer, which is made here. */
export const GrantRequest = z
  .object({
    kind: z.enum(['person', 'service']),
    auth: GrantAuth,
    identity: text(1, 320).optional(),
    scopes: z.array(ScopeName).min(1),
    rights: z.array(z.enum(RIGHTS)).min(1),
    label: Label.default(null),
  })
  .strict()
  .refine(({ kind, auth }) => (kind === 'person') === (auth === 'email'), 'a person, and nobody else, comes by e-mail')
  .refine(({ kind, rights }) => kind === 'person' || !rights.includes('decide'), 'a service never decides')
  .refine(({ auth, identity }) => (auth === 'bearer') === (identity === undefined), {
    path: ['identity'],
    message: 'is needed for an e-mail or common name, and is none of the caller for a bearer',
  })
  .refine(({ auth, identity = '' }) => auth !== 'email' || /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(identity), {
    path: ['identity'],
    message: 'is no e-mail address in printable ASCII',
  });

/** `bearer` is told this once and is stored nowhere. */
export const GrantCreated = z.object({ grant: GrantOut, bearer: z.string().nullable() }).strict();
export const GrantList = z.object({ grants: z.array(GrantOut) }).strict();
export const GrantChanged = z.object({ grant: GrantOut }).strict();
export const GrantId = z.object({ id: z.string() }).strict();
export const GrantRename = z.object({ id: z.string(), label: Label }).strict();

export const ScopeRequest = z.object({ name: ScopeName }).strict();
/** `created` is false when there was one already. */
export const ScopeCreated = z.object({ scope: ScopeName, created: z.boolean() }).strict();

const BackupRun = z.object({
  seq: z.int(),
  kind: z.enum(['run', 'probe']),
  started_at: Instant,
  finished_at: Instant,
  ok: z.boolean(),
});

/** How the instance stands, for whoever runs it. Times of backups are null while there was none. */
export const OperatorStatus = z
  .object({
    service: z.literal('groundnote'),
    instance: ScopeName,
    version: z.string(),
    started_at: Instant,
    now: Instant,
    data_dir: z.string(),
    backup: z
      .object({
        kind: z.enum(['copy', 'litestream']),
        directory: z.string().nullable(),
        export_directory: z.string().nullable(),
        running: z.enum(['run', 'probe', 'verify']).nullable(),
        ops_backup_at: Instant.nullable(),
        last_run: BackupRun.nullable(),
        last_probe: BackupRun.nullable(),
      })
      .strict(),
    scopes: z.array(
      z
        .object({
          scope: ScopeName,
          created: z.boolean(),
          locked: z.boolean(),
          lock_reason: z.string().nullable(),
          version_count: z.int().nullable(),
          last_backup_at: Instant.nullable(),
          verified_at: Instant.nullable(),
          verify_ok: z.boolean().nullable(),
          probed_at: Instant.nullable(),
          probe_ok: z.boolean().nullable(),
          exported_at: Instant.nullable(),
          export_sha256: z.string().nullable(),
        })
        .strict(),
    ),
  })
  .strict();
export type OperatorStatus = z.output<typeof OperatorStatus>;
