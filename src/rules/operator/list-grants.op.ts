import { z } from 'zod';
import type { GrantStore } from '../grants/ports.ts';
import { grantOut } from './grant-out.ts';
import { defineOperatorOp } from './operator-op.ts';
import { GrantList } from './schema.ts';

/** Every grant there ever was, oldest first. */
export const listGrants = defineOperatorOp({
  name: 'list_grants',
  effect: 'read',
  summary: 'List every grant, disabled ones included.',
  input: z.object({}).strict(),
  output: GrantList,
  async run({ grants }: { readonly grants: GrantStore }) {
    return { grants: (await grants.list()).map(grantOut) };
  },
});
