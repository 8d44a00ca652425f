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
  message,
});
export const MovePageOutput = z.object({
  ok: z.boolean(),
  issues: z.array(Issue),
  from: z.string().optional(),
  to: z.string().optional(),
});
