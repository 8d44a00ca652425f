import { z } from 'zod';
import { pageId } from '../schema.ts';

export const PatchPageInput = z.object({
  page_id: pageId,
  anchor: z.string().min(1).describe('Block or heading that is meant, as expand names it.'),
  section: z.boolean().optional().describe('The whole section of the anchor instead of one block.'),
  action: z.enum(['replace', 'insert_before', 'insert_after', 'remove']),
  content: z.string().optional().describe('New markdown; not with remove.'),
  expected_sha256: z
    .string()
    .describe('sha256 of the block, or part_sha256 of the section, as expand with anchor answered it.'),
  message: z.string().max(1000).optional().describe('Why, kept with the version.'),
});
