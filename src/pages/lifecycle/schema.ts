import { z } from 'zod';
import { Issue, pageId } from '../schema.ts';

const message = z.string().max(1000).optional().describe('Why, kept with the version.');

export const DeletePageInput = z.object({
  page_id: pageId,
  base_version: z.string().optional().describe('Version you looked at ("v42"); a newer head is a conflict.'),
  message,
});
export const DeletePageOutput = z.object({ ok: z.boolean(), issues: z.array(Issue), page_id: z.string().optional() });

export const PurgePageInput = z.object({ page_id: pageId });
export const PurgePageOutput = DeletePageOutput;

export const MovePageInput = z.object({
  from: z.string().min(1).describe('Page id that the page has.'),
  to: z.string().min(1).describe('Page id that it shall have; no live page may be there.'),
  rewrite_links: z
    .boolean()
    .optional()
    .describe(
      'Also give the page the id that the file name of `to` says, and every link that leads to it, where you may write.',
    ),
  message,
});
export const MovePageOutput = z.object({
  ok: z.boolean(),
  issues: z.array(Issue),
  from: z.string().optional(),
  to: z.string().optional(),
  rewritten: z.array(z.string()).optional().describe('Pages whose links were rewritten.'),
  not_rewritten: z.array(z.string()).optional().describe('Pages that you may not write, or whose links could not be.'),
});
