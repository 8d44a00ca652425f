import type { AclBlock } from '../auth/schema.ts';
import type { JsonObject } from '../kernel/json.ts';

export type PageType = 'skill' | 'instance';

/** One `[[…]]` as parsed (pages contract, WikilinkParsed; facts E107-E131). */
export interface WikilinkParsed {
  skill: string | null;
  id: string | null;
  anchor: string | null;
  version: string | null;
  alias: string | null;
}

/** A link where it stands. */
export interface PageLink {
  readonly link: WikilinkParsed;
  /** The link as written, brackets included. */
  readonly text: string;
  /** `frontmatter.<top-level key>`, or null in the body. */
  readonly field: string | null;
  /** Anchor of the block it stands in; null in the frontmatter. */
  readonly srcAnchor: string | null;
  /** 1-based, counted in the whole file; column in UTF-16 units. 0 when unknown (inside a YAML value). */
  readonly line: number;
  readonly column: number;
}

/** A paragraph, list item, table, code block, quote, HTML block or heading (deviations, E132/E133). */
export interface Block {
  readonly anchor: string;
  readonly content: string;
  /** Titles of the headings above it, outermost first. */
  readonly headings: readonly string[];
  /** 1-based line of its first character in the whole file. */
  readonly line: number;
  /** The text of a heading without its marks; on headings only. */
  readonly title?: string;
}

/**
 * `missing_frontmatter`: the file opens no header, which is no fault of its YAML (F04). `invalid_type`: the header was
 * read, its `type` is missing or unknown (E101).
 */
export type HeaderProblemCode =
  | 'missing_frontmatter'
  | 'unterminated_frontmatter'
  | 'malformed_frontmatter'
  | 'frontmatter_no_mapping'
  | 'invalid_type';

/** Where and why a header could not be read. Line and column are 1-based and counted in the whole file. */
export interface HeaderProblem {
  readonly code: HeaderProblemCode;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A markdown file taken apart. Always possible: a header that cannot be read leaves the whole file as body (F02). */
export interface ParsedPage {
  readonly frontmatter: JsonObject;
  /** Everything after the line break that ends the closing fence, as written (E102). */
  readonly body: string;
  readonly blocks: readonly Block[];
  readonly links: readonly PageLink[];
  readonly problem: HeaderProblem | null;
}

/** What the index keeps of a page beside its blocks and links. Times are UTC, RFC 3339. */
export interface PageFacts {
  readonly pageType: PageType;
  readonly slug: string | null;
  readonly skill: string;
  readonly title: string;
  readonly description: string;
  /** Parsed `at`, null when absent or unreadable (E143). */
  readonly at: string | null;
  readonly scenario: string | null;
  readonly archived: boolean;
  /** The page's own block; `closed` when it is there and cannot be read (F07). Null on skill pages: theirs is about instances. */
  readonly acl: AclBlock;
  /** The header could not be read: only admins see the page until it can (deviations, E096). */
  readonly unreadable: boolean;
}
