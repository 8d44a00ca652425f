import { z } from 'zod';

export const pageId = z
  .string()
  .min(1)
  .describe('Page id: a relative path such as markdown/instances/customer/acme.md.');
/** Two Unicode forms are one name (L12). */
const skillName = z.string().normalize('NFC');
const scenario = z
  .string()
  .optional()
  .describe('What-if overlay: base pages and this overlay, the overlay winning. Absent: base only.');
const asOf = z.string().optional().describe('Time cut, RFC 3339: what was born later is left out. Undated pages stay.');
const frontmatter = z.record(z.string(), z.unknown());

export const PageRef = z.object({
  page_id: z.string(),
  slug: z.string().nullable(),
  skill: z.string(),
  page_type: z.enum(['skill', 'instance']),
});
export const Wikilink = z.object({
  skill: z.string().nullable(),
  id: z.string().nullable(),
  anchor: z.string().nullable(),
  version: z.string().nullable(),
  alias: z.string().nullable(),
});
export const Issue = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  location: z.string(),
  message: z.string(),
  suggestion: z.string().optional(),
});
export type Issue = z.output<typeof Issue>;

export const ListSkillsInput = z.object({ as_of: asOf, scenario });
export const SkillRow = z.object({
  id: z.string(),
  description: z.string(),
  required_frontmatter: z.array(z.string()),
  optional_frontmatter: z.array(z.string()),
  is_event_typed: z.boolean(),
  visibility: z.enum(['public', 'owner']),
  owner_field: z.string().nullable(),
  backend: z.object({ kind: z.string() }),
  capabilities: z.object({
    writable: z.boolean(),
    granularity: z.enum(['block', 'page']),
    search: z.string(),
    supports_crdt: z.boolean(),
  }),
  layer: z.string(),
  acl: z.record(z.string(), z.array(z.string())).optional(),
  shadows: z.string().optional(),
  autonomy: z.enum(['auto', 'review', 'confirm']).optional(),
  params: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['string', 'integer', 'boolean']),
        required: z.boolean(),
        label: z.string().optional(),
        description: z.string().optional(),
      }),
    )
    .optional(),
});
export const ListSkillsOutput = z.object({ skills: z.array(SkillRow) });

export const ListInstancesInput = z.object({
  skill_id: skillName.min(1).describe('Skill whose instances are listed.'),
  frontmatter_key: z.string().optional().describe('With frontmatter_value: keep rows whose frontmatter key equals it.'),
  frontmatter_value: z.string().optional(),
  filter: frontmatter
    .optional()
    .describe('Frontmatter key to a value, or to {">=": v}, {"<=": v}, {">": v}, {"<": v}, {"in": [v]}, {"not": v}.'),
  order_by: z.string().optional().describe('"at asc" or "at desc". Absent: by page id.'),
  limit: z.number().int().min(0).optional().describe('Rows at the most; default and ceiling 10000.'),
  cursor: z.string().optional().describe('next_cursor of the page before.'),
  as_of: asOf,
  scenario,
});
export const ListInstancesOutput = z.object({
  instances: z.array(z.object({ page_id: z.string(), skill: z.string(), frontmatter, at: z.string().nullable() })),
  next_cursor: z.string().nullable(),
  issues: z.array(Issue).optional(),
});

export const ResolveInput = z.object({
  wikilink: z.string().describe('One link, brackets optional: [[customer::acme]].'),
  as_of: asOf,
  scenario,
});
export const ResolveOutput = z.object({ parsed: Wikilink, page: PageRef.nullable(), exists: z.boolean() });

export const ExpandInput = z.object({
  page_id: pageId,
  as_of: asOf,
  scenario,
  full: z.boolean().optional(),
  anchor: z.string().optional().describe('Only this block, or with section its whole section.'),
  section: z.boolean().optional(),
  max_chars: z.number().int().min(1).optional().describe('Body characters at the most; next gives what follows.'),
  next: z.string().optional().describe('next of the answer before.'),
});
export const ExpandOutput = z.object({
  page: PageRef.extend({ last_written_by: z.string().nullable() }).nullable(),
  frontmatter: frontmatter.optional(),
  body: z.string().optional(),
  blocks: z.array(z.object({ anchor: z.string(), content: z.string(), sha256: z.string().optional() })).optional(),
  next: z.string().nullable().optional(),
  part_sha256: z.string().optional(),
  wikilinks_out: z.array(Wikilink).optional(),
  content_sha256: z.string().optional(),
  version: z.string().optional(),
  as_of_version: z.string().optional(),
  shadow: z.object({ base_page_id: z.string(), pack: z.string(), base: frontmatter }).optional(),
});

export const NeighboursInput = z.object({
  page_id: pageId,
  direction: z.enum(['in', 'out', 'both']).optional().describe('Default both: outgoing first.'),
  link_skill: skillName.optional().describe('Only links of this skill; "" for bare links.'),
  link_skill_in: z.array(skillName).optional().describe('Only links of these skills.'),
  order_by: z.string().optional().describe('"<frontmatter field> asc|desc" of the page at the other end.'),
  limit: z.number().int().min(0).optional().describe('Edges at the most; default and ceiling 10000.'),
  as_of: asOf,
  scenario,
});
export const NeighboursOutput = z.object({
  edges: z.array(
    z.object({
      src_page: z.string(),
      src_anchor: z.string().nullable(),
      src_field: z.string().nullable(),
      dst_page: z.string(),
      dst_exists: z.boolean(),
      dst_anchor: z.string().nullable(),
      link_skill: z.string(),
      link_version: z.string().nullable(),
      target_frontmatter_excerpt: frontmatter.nullable(),
    }),
  ),
});

export const SearchInput = z.object({
  q: z.string().optional().describe('One query. Give this or queries.'),
  queries: z.array(z.string()).optional().describe('Two to eight phrasings of one question, fused into one ranking.'),
  k: z.number().int().min(0).optional().describe('Hits at the most; default 10, ceiling 200.'),
  granularity: z.string().optional().describe('"block" (default) or "page".'),
  page_type: z.enum(['skill', 'instance', 'any']).optional(),
  skill: skillName.optional().describe('Only pages of this skill.'),
  filter: frontmatter
    .optional()
    .describe('Frontmatter key to a value, or to {">=": v}, {"<=": v}, {">": v}, {"<": v}, {"in": [v]}, {"not": v}.'),
  page_id: z.string().optional().describe('Only blocks of this page.'),
  as_of: asOf,
  scenario,
  min_coverage: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Leaves out hits that answer less of the question; default 0. Nothing left: abstained says why.'),
  explain: z
    .boolean()
    .optional()
    .describe('Adds to each hit what each lane says about it, and how the lanes were fused.'),
});
const HitEvidence = z.object({
  lexical: z
    .object({ rank: z.int(), share: z.number(), coverage: z.number(), matched_terms: z.array(z.string()) })
    .nullable(),
  vector: z.object({ rank: z.int(), similarity: z.number(), deviations: z.number() }).nullable(),
  rerank: z.number().nullable(),
});
const SearchEvidence = z.object({
  language: z.string().nullable(),
  corrections: z.array(z.object({ word: z.string(), instead: z.string() })),
  synonyms: z.array(z.object({ word: z.string(), also: z.array(z.string()) })),
  vector: z.object({ model: z.string(), weight: z.number() }).nullable(),
  rerank: z.object({ state: z.string(), duration_ms: z.number().nullable(), reason: z.string().nullable() }),
});
export const Hit = PageRef.extend({
  anchor: z.string().nullable(),
  snippet: z.string(),
  score: z.number(),
  similarity: z.number(),
  frontmatter_excerpt: frontmatter,
  explain: HitEvidence.optional(),
});
export const SearchOutput = z.object({
  hits: z.array(Hit),
  granularity: z.enum(['block', 'page']),
  abstained: z
    .object({
      reason: z.enum(['no-candidate', 'below-min-coverage', 'below-reranker-threshold']),
      best_coverage: z.number().nullable(),
      min_coverage: z.number(),
    })
    .optional(),
  explain: SearchEvidence.optional(),
  issues: z.array(Issue).optional(),
});

export const ValidateInput = z.object({
  content: z.string().describe('A whole page: header and body.'),
  as_page_id: z.string().optional().describe('The page it would be written to; tells a page from its own twin.'),
});
export const ValidateOutput = z.object({ ok: z.boolean(), issues: z.array(Issue) });

export const UpdatePageInput = z.object({
  page_id: pageId,
  content: z.string().describe('The whole page as it shall stand: header and body.'),
  base_version: z.string().optional().describe('Version the draft was made from ("v42"); a newer head is a conflict.'),
  base_sha256: z
    .string()
    .optional()
    .describe('content_sha256 the draft was made from; "" means the page must not exist.'),
  require_exact_base: z.boolean().optional().describe('Never merge: base_version must be the head.'),
  if_absent: z.boolean().optional().describe('Create only: a live page with this id is a conflict.'),
  message: z.string().max(1000).optional().describe('Why, kept with the version.'),
  provenance: frontmatter.optional().describe('Who runs the write, for metrics; not stored.'),
});
export const UpdatePageOutput = z.object({
  ok: z.boolean(),
  issues: z.array(Issue),
  new_version: z.string().optional(),
  auto_merged: z.boolean().optional(),
  head_version: z.string().optional(),
  head_sha256: z.string().optional(),
  head_content: z.string().nullable().optional(),
});
