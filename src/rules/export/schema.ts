import { z } from 'zod';
import { ScopeName } from '../schema.ts';

export const ExportInput = z.object({ scope: ScopeName }).strict();

/** The files of an export, in the order in which they are packed; `path` begins with the scope. */
export const ExportFiles = z
  .object({
    instance: ScopeName,
    scope: ScopeName,
    files: z.array(z.object({ path: z.string(), text: z.string() }).strict()),
  })
  .strict();
