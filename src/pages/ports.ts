import type { AclBlock, ReadScope } from '../auth/schema.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { FilterClause } from '../search/schema.ts';
import type { Block, PageFacts, PageLink, PageType } from './model.ts';

/** Who or what caused a version: a caller, a file changed from outside, an import, or the server itself. */
export type Origin = 'agent' | 'external' | 'import' | 'system';

/** A stored version of a page, bytes as committed. */
export interface StoredPage {
  readonly pageId: string;
  readonly version: number;
  readonly content: string;
  readonly sha256: string;
  readonly author: string | null;
  readonly origin: Origin;
  readonly message: string | null;
  /** Commit time, RFC 3339 UTC with milliseconds. */
  readonly committedAt: string;
  readonly archived: boolean;
}

/** One page of a change set. `base` is the head version it was planned on, 0 for a page that does not exist. */
export interface PagePut {
  readonly pageId: string;
  readonly base: number;
  readonly content: string;
  readonly author: string | null;
  readonly origin: Origin;
  readonly message: string | null;
  readonly committedAt: string;
  /** Archives the page, whoever writes; without it the text decides where it may (E145, E146). */
  readonly archive?: true;
}

/**
 * The page gets another id and takes its versions along; a version of the same text marks the move. An archived page at
 * `to` keeps its versions as the older ones.
 */
export interface PageMove {
  readonly from: string;
  /** Head version of `from`. */
  readonly base: number;
  readonly to: string;
  /** Head version of the archived page at `to`, 0 when there is none. */
  readonly over: number;
  readonly message: string;
  readonly committedAt: string;
  /** Somebody renamed the file outside; without it nobody is named as writer (E441). */
  readonly author?: 'external';
}

/** File, text and history of a page go for good. `base` is its head version. */
export interface PagePurge {
  readonly pageId: string;
  readonly base: number;
  readonly committedAt: string;
}

/** A planned write: committed whole or not at all. */
export interface ChangeSet {
  readonly puts: readonly PagePut[];
  readonly moves?: readonly PageMove[];
  readonly purges?: readonly PagePurge[];
}

export type CommitResult =
  | { readonly committed: true; readonly versions: ReadonlyMap<string, number> }
  /** Pages whose head is no longer the base, or whose id is a folder of another page's id. Nothing was written. */
  | { readonly committed: false; readonly stale: readonly string[]; readonly blocked: readonly string[] };

/** What the history of a page tells without its text. */
export type VersionInfo = Omit<StoredPage, 'content'>;

/** Canonical page versions. Adapters pass test/contracts/page-store.ts. */
export interface PageStore {
  /** The newest version, archived ones included. */
  head(pageId: string): Promise<StoredPage | undefined>;
  version(pageId: string, version: number): Promise<StoredPage | undefined>;
  /** The text of a version alone, found sooner where its commit is known. */
  text(of: Pick<IndexedPage, 'pageId' | 'version' | 'seq'>): Promise<string | undefined>;
  /** Every version, oldest first. */
  history(pageId: string): Promise<readonly VersionInfo[]>;
  /** The newest version committed at or before a time (RFC 3339 UTC with milliseconds), archived ones included. */
  versionAt(pageId: string, at: string): Promise<StoredPage | undefined>;
  /**
   * Resolves when the change set is durable and indexed: readable and lexically searchable (architecture 3).
   * Concurrent commits share one fsync. Rejects only for faults of ours; then nothing of it is acknowledged.
   */
  commit(changes: ChangeSet): Promise<CommitResult>;
}

/** Everything the index derives from one page's bytes. */
export interface PageProjection {
  readonly facts: PageFacts;
  readonly frontmatter: JsonObject;
  readonly blocks: readonly Block[];
  readonly links: readonly PageLink[];
}

/** The pure function that storage calls to derive a page's index rows, at commit and at rebuild alike. */
export type Project = (pageId: string, content: string) => PageProjection;

/** A row of the derived index. Archived pages have none. */
export interface IndexedPage {
  readonly pageId: string;
  readonly version: number;
  /** Commit of this version, where the store keeps it; null for a page that is no row. */
  readonly seq: number | null;
  readonly sha256: string;
  readonly pageType: PageType;
  readonly slug: string | null;
  readonly skill: string;
  readonly title: string;
  readonly at: string | null;
  readonly scenario: string | null;
  readonly frontmatter: JsonObject;
  /** Pages of one class are decided alike, but for ownership. */
  readonly accessClass: number;
  readonly lastWrittenBy: string | null;
  /** Commit time of the oldest version that is kept. */
  readonly firstAt: string;
  /** Commit time of this version. */
  readonly updatedAt: string;
}

/** What decides about a page before ownership: its skill and its own acl block. */
export interface AccessClass {
  readonly id: number;
  readonly pageType: PageType;
  readonly skill: string;
  /** The page's own block as `PageFacts.acl` has it. */
  readonly acl: AclBlock;
  readonly unreadable: boolean;
}

export interface LinkRow {
  readonly srcPage: string;
  readonly srcAnchor: string | null;
  readonly srcField: string | null;
  /** "" for a bare link. */
  readonly linkSkill: string;
  /** The id text of the link. */
  readonly target: string;
  readonly dstAnchor: string | null;
  readonly linkVersion: string | null;
}

export interface TimeAndScenario {
  /** RFC 3339 UTC; null: now. */
  readonly asOf: string | null;
  /** null: base pages only. */
  readonly scenario: string | null;
}

export interface InstanceQuery extends TimeAndScenario {
  readonly skill: string;
  readonly order: 'page_id' | 'at_asc' | 'at_desc';
  readonly limit: number;
  /** Position of the last row seen: its `at` (null when undated) and page id. */
  readonly after: { readonly at: string | null; readonly pageId: string } | null;
  /** String equality on a JSON path of the frontmatter (E206). */
  readonly equals: { readonly key: string; readonly value: string } | null;
  /** All of them hold (E285-E292). */
  readonly clauses: readonly FilterClause[];
  /** Rows outside it are as absent as rows that do not exist; they stand in no other row's way. */
  readonly scope: ReadScope;
}

/** A page under the time that orders it. */
export interface Place {
  /** Null for an undated page; by page id it tells nothing. */
  readonly at: string | null;
  readonly pageId: string;
  /** The page as it is now, where its place is of now. */
  readonly row: IndexedPage | null;
}

/** Derived reads. Adapters pass test/contracts/page-index.ts. */
export interface PageIndex {
  page(pageId: string): Promise<IndexedPage | undefined>;
  /**
   * Live pages with that slug. `skill` null matches any page (bare link), otherwise instances of that skill; with
   * `pageType` `skill` the skill pages of that id. Best first: the scenario's page, tenant pages before
   * `markdown/base/`, then page id (E220-E229).
   */
  bySlug(
    slug: string,
    skill: string | null,
    pageType: PageType | null,
    scenario: string | null,
  ): Promise<readonly IndexedPage[]>;
  /** Those of these pages that are there. */
  pages(pageIds: readonly string[]): Promise<ReadonlyMap<string, IndexedPage>>;
  /** For each of these slugs what `bySlug` has for a bare link; none has an empty list. */
  bySlugs(slugs: readonly string[], scenario: string | null): Promise<ReadonlyMap<string, readonly IndexedPage[]>>;
  /** By what headers say now, under a time cut as well. */
  instances(query: InstanceQuery): Promise<readonly IndexedPage[]>;
  /**
   * Where to look for the instances of a moment, in the order asked for: every page that was there then has its place among these,
   * those that are archived by now and all of a slug included. Not all of them were there: the page store tells.
   */
  instancesThen(query: InstanceQuery & { readonly asOf: string }): Promise<readonly Place[]>;
  /** Ids of pages, archived ones included, of which some version was so that was followed by another one after the moment. */
  readonly once: {
    named(slug: string, asOf: string): Promise<readonly string[]>;
    /** Held a link whose target text is `slug` and whose skill is one of `linkSkills`. */
    linked(slug: string, linkSkills: readonly string[], asOf: string): Promise<readonly string[]>;
    /** Were skill pages. */
    skills(asOf: string): Promise<readonly string[]>;
  };
  linksFrom(pageId: string): Promise<readonly LinkRow[]>;
  /** Links whose target text is `slug` and whose skill is one of `linkSkills`. */
  linksTo(slug: string, linkSkills: readonly string[]): Promise<readonly LinkRow[]>;
  /** Links under these header keys (`frontmatter.<key>`), by source page. */
  linksOfFields(fields: readonly string[]): Promise<readonly LinkRow[]>;
  blockAnchors(pageId: string): Promise<readonly string[]>;
  /** Live base pages whose frontmatter `credential` is this subject. */
  credentialHolders(subject: string): Promise<readonly IndexedPage[]>;
  skillPages(): Promise<readonly IndexedPage[]>;
  accessClasses(): Promise<readonly AccessClass[]>;
  /** Grows with every committed skill page and every new access class; cheap, for caches. */
  policyRevision(): number;
}
