import { z } from 'zod';

const pageId = z.string().min(1);

export const AncestryInput = z.object({
  page_id: pageId.describe('Where the walk starts.'),
  direction: z
    .enum(['up', 'down'])
    .optional()
    .describe('up: what the page rests on (default). down: what rests on it.'),
  relations: z
    .array(z.string())
    .optional()
    .describe('Header keys whose links are followed; none: all links, also of bodies.'),
  max_hops: z.number().int().optional().describe('1 to 12; default 5.'),
  as_of: z.string().optional().describe('Time cut, RFC 3339: links of pages born later are not followed.'),
  to_page: z.string().optional().describe('Ask for the shortest way to this page instead.'),
});
export const AncestryOutput = z.object({
  hops: z
    .array(z.object({ page_id: z.string(), skill: z.string(), relation: z.string().nullable(), depth: z.number() }))
    .optional(),
  reachable: z.boolean().optional(),
  path: z.array(z.string()).optional(),
  depth: z.number().optional(),
});

export const ReportInput = z.object({
  kind: z
    .enum(['drift', 'abandoned'])
    .describe('drift: decisions that rest on an expectation replaced since. abandoned: pages superseded or given up.'),
  skill: z.string().optional().describe('Only decisions, or retired pages, of this skill.'),
});
export const ReportOutput = z.object({
  kind: z.enum(['drift', 'abandoned']),
  rows: z.array(z.record(z.string(), z.string())),
});
