import { SIGNALS } from './schema.ts';
import { signalsIn } from './signals.ts';

const SCOPE = '[a-z][a-z0-9-]{1,39}';
const RULE_ID = `${SCOPE}-\\d{4,12}`;
const DAY = '\\d{4}-\\d{2}-\\d{2}';
const INSTANT = `${DAY}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?Z`;
const GRANT = '(?:person|service):\\d{1,9}';
const SOURCE = `(?:jamie:[A-Za-z0-9._-]{1,200}|manual:${GRANT}|mail:<[A-Za-z0-9.!#$%&'*+/=?^_{|}~@-]{1,200}>)`;
const REF = `(?:rule/${RULE_ID}(?:@\\d{1,6})?|source/${SOURCE}|attachment/${SOURCE}#\\d{1,4})`;
const HOST = 'https?://(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?';

const words = (...list: readonly string[]): string => `(?:${list.join('|')})`;
const KIND = words(
  'rule|note|meeting|mail|attachment|entity|jamie|manual|customer|product|supplier',
  'source|thread|predecessor|successor|contradicts|same-relation',
  'confirm|reject|revoke|review|retract',
);
const REASON = words(
  'disabled in config|no-candidate|below-min-coverage|below-reranker-threshold',
  'proposed via (?:mcp|api|approval)|confirmed',
  `superseded by ${RULE_ID}`,
);

/**
 * Fields that the server writes itself, each with the shape of its values. Text under any other name, or of another shape, is
 * foreign: none of these shapes has room for a sentence or a frame.
 */
const SHAPES: Readonly<Record<string, string>> = {
  ref: REF,
  refs: REF,
  proposed_refs: REF,
  possible_duplicates: REF,
  id: SOURCE,
  rule_id: RULE_ID,
  next: RULE_ID,
  supersedes: RULE_ID,
  superseded_by: RULE_ID,
  search_id: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  scope: SCOPE,
  scopes: SCOPE,
  kind: KIND,
  status: words('proposed|confirmed|superseded|rejected'),
  origin: words('deterministic|proposed|human|grant|auto'),
  mode: words('manual|classified|autonomous'),
  state: words('ran|off|failed|budget|not-allowed'),
  reason: REASON,
  recheck: 'still valid\\?',
  date: INSTANT,
  said_at: INSTANT,
  created_at: INSTANT,
  changed_at: INSTANT,
  decided_at: INSTANT,
  fetched_at: INSTANT,
  occurred_at: INSTANT,
  last_reviewed_at: INSTANT,
  valid_from: DAY,
  valid_until: DAY,
  fulltext_sha256: '[0-9a-f]{64}',
  text_origin: words('ocr|description|none'),
  timestamp: '\\d{1,4}:\\d{2}(?::\\d{2})?',
  changed_by: GRANT,
  decided_by: GRANT,
  rights: words('read|propose|decide'),
  approval_mode: words('manual|classified|autonomous'),
  approval_url: `${HOST}(?:/[A-Za-z0-9._~-]{1,100}){0,8}/approval/rules/${RULE_ID}`,
  signals: words(...SIGNALS),
};

const shapes = new Map(Object.entries(SHAPES).map(([key, shape]) => [key, new RegExp(`^${shape}$`)]));

/** Names of fields that hold no text of the server: containers, figures, and what others wrote. */
const OTHER_KEYS = `stages a b c query variants terms bundles head groups entries related line abstained truncated source relations
  rank entities version history decisions rules proposals quote_check counts duration_ms best_coverage min_coverage count
  more age_days coverage matched_terms rrf reranker omitted omitted_refs timestamp_s new_version unconfirmed proposed
  confirmed superseded checked locked quote_cut untrusted title excerpt quote statement speaker name link keywords
  found_via recorded segments start_s text attachments filename media_type size external sender thread`;
const known = new Set([...OTHER_KEYS.split(/\s+/), ...shapes.keys()]);

/** What tells the server's own words in a result from foreign text. */
export interface ServerFields {
  /** Whether a name is one of ours; any other came with the data. */
  isKnownKey(key: string): boolean;
  /** Whether this text under this name is the server's own. */
  isServerText(key: string, value: string): boolean;
}

/** Whether a name is one of ours; any other came with the data, like the terms of a search. */
export const isKnownKey = (key: string): boolean => known.has(key);

/** Whether this text under this name is the server's own. Mail ids are chosen by whoever sends a mail, so they are read. */
export function isServerText(key: string, value: string): boolean {
  if (!shapes.get(key)?.test(value)) return false;
  return !value.includes('mail:<') || signalsIn(value.replace(/[^A-Za-z0-9]+/g, ' ')).length === 0;
}
