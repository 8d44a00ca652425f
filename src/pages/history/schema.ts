import { z } from 'zod';
import { pageId } from '../schema.ts';

const version = z.string().describe('Version of the page, such as v3.');

export const ListSnapshotsInput = z.object({ page_id: pageId });
export const ListSnapshotsOutput = z.object({ snapshots: z.array(z.string()) });

export const DiffPageInput = z.object({
  page_id: pageId,
  from: version,
  to: version.optional().describe('Absent: the current version.'),
});
export const DiffPageOutput = z.object({
  page_id: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  unified: z.string().nullable(),
  blocks: z.array(
    z.object({
      anchor: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      anchor_before: z.string().optional().describe('What the block was called before, where that was something else.'),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});

export const RestorePageInput = z.object({
  page_id: pageId,
  version,
  base_version: z.string().optional().describe('Version you looked at; a newer head is a conflict.'),
  message: z.string().max(1000).optional().describe('Why, kept with the version.'),
});
