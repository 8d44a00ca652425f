import type { Asking } from '../asking.ts';

/** One version of a rule as the pages show it (contract 6.5). */
export interface VersionView {
  readonly rule_id: string;
  readonly version: number;
  readonly kind: 'rule' | 'note';
  readonly statement: string;
  readonly source: {
    readonly kind: SourceKind;
    readonly id: string;
    readonly quote: string;
    readonly timestamp_s: number | null;
    readonly link: string | null;
  };
  readonly said_at: string;
  readonly speaker: string | null;
  readonly relations: readonly { readonly kind: RelationKind; readonly name: string; readonly ref: string | null }[];
  readonly keywords: readonly string[];
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly status: Status;
  readonly reason: string;
  readonly changed_by: string;
  readonly changed_at: string;
}

export type Status = 'proposed' | 'confirmed' | 'superseded' | 'rejected';
export type SourceKind = 'jamie' | 'mail' | 'manual';
export type RelationKind = 'customer' | 'product' | 'supplier';

export interface DecisionView {
  readonly kind: 'confirm' | 'reject' | 'revoke' | 'review' | 'retract';
  readonly decided_by_identity: string;
  readonly decided_at: string;
  readonly reason: string | null;
  readonly new_version: number | null;
}

/** A stretch of a text in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface SegmentView {
  /** `m:ss` from the start of the meeting. */
  readonly time: string;
  readonly speaker: string | null;
  readonly text: string;
  readonly mark: Stretch | null;
}

/** Where a quote stands; null for own words. */
export type ContextView =
  | { readonly kind: 'mail'; readonly text: string; readonly mark: Stretch }
  | { readonly kind: 'meeting'; readonly segments: readonly SegmentView[] }
  | null;

/** How a mail proved where it came from. */
export interface AuthView {
  readonly from: string;
  readonly authentication_results: readonly string[];
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly dmarc: string | null;
}

/** Something that belongs to a rule: an attachment, or a mail of the thread. */
export interface EntryView {
  readonly date: string;
  readonly title: string;
  readonly excerpt: string | null;
  readonly link: string | null;
}

export interface AlikeView {
  readonly ref: string;
  readonly status: Status;
  readonly statement: string;
  readonly reason: string;
}

/** Everything that the page of a rule shows; `shown_sha256` stands for it in the forms. */
export interface RuleView {
  readonly ref: string;
  readonly shown_sha256: string;
  readonly version: VersionView;
  /** Of a confirmed rule: how long ago somebody looked at it, and whether it is time to ask again. */
  readonly standing: { readonly last_reviewed_at: string; readonly age_days: number; readonly due: boolean } | null;
  readonly source: {
    readonly id: string;
    readonly kind: SourceKind;
    readonly title: string | null;
    readonly sender: string | null;
    readonly occurred_at: string | null;
    readonly link: string | null;
    readonly fetched_at: string;
    /** Kinds of what looks like a secret in it. */
    readonly secret_kinds: readonly string[];
    readonly auth: AuthView | null;
  };
  readonly context: ContextView;
  readonly attachments: readonly EntryView[];
  readonly thread: readonly EntryView[];
  readonly replaces: VersionView | null;
  readonly possible_duplicates: readonly AlikeView[];
  readonly rejected_similar: readonly AlikeView[];
  /** Oldest first. */
  readonly history: readonly VersionView[];
  /** Oldest first. */
  readonly decisions: readonly DecisionView[];
}

export type WaitingView = VersionView & { readonly created_at: string };

export interface ScopeView {
  readonly scope: string;
  readonly locked: boolean;
  /** All that wait; `proposals` may be fewer. */
  readonly waiting: number;
  readonly counts: {
    readonly confirmed: number;
    readonly superseded: number;
    readonly rejected: number;
    readonly due: number;
  } | null;
  readonly proposals: readonly WaitingView[];
}

export interface RejectedView {
  readonly rules: readonly (VersionView & { readonly ref: string })[];
  /** To be sent as `after` for the next page. */
  readonly next: string | null;
}

export type DueView = VersionView & {
  readonly last_reviewed_at: string;
  readonly age_days: number;
  /** How often agents and programs got it. */
  readonly served: number;
};

export interface RecheckView {
  readonly scopes: readonly { readonly scope: string; readonly due: number; readonly rules: readonly DueView[] }[];
}

/** What a search found, as agents find it. */
export interface FoundView {
  readonly bundles: readonly {
    readonly head: {
      readonly ref: string;
      readonly kind: 'rule' | 'note';
      readonly title: string;
      readonly date: string;
      readonly status: Exclude<Status, 'rejected'>;
      readonly valid_from: string;
      readonly valid_until: string | null;
      readonly recheck: string | null;
      readonly source: { readonly kind: SourceKind; readonly quote: string };
      readonly found_via: readonly string[];
      readonly coverage: number | null;
    };
  }[];
  readonly abstained: { readonly reason: string } | null;
}

export interface SearchAsked {
  readonly scopes: readonly string[];
  readonly text: string;
  /** The day on which rules must hold; today when it is missing. */
  readonly as_of?: string | undefined;
  readonly include_proposals: boolean;
}

/** A file to be downloaded. */
export interface Download {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface InboxFilter {
  readonly scope?: string;
  readonly text?: string;
}

/** A person with an active grant, and what they can do here. Every call refuses with a Failure of the rules surface. */
export interface Approver {
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** Those of them that are not locked. */
  unlocked(): Promise<readonly string[]>;
  inbox(filter: InboxFilter): Promise<{ readonly scopes: readonly ScopeView[] }>;
  show(ruleId: string): Promise<RuleView>;
  /** `filter`: as sent. */
  rejected(filter: Readonly<Record<string, unknown>>): Promise<RejectedView>;
  recheck(filter: { readonly scope?: string }): Promise<RecheckView>;
  search(asked: SearchAsked): Promise<FoundView>;
  /** A gzip'd tar file of the scope. */
  exported(scope: string): Promise<Download>;
  /** `body`: as sent, checked by the op itself. `shown_sha256`: what the person looked at. */
  decide(decision: { readonly id: string; readonly shown_sha256?: string; readonly body: unknown }): Promise<object>;
}

/** For one request. Undefined when the address has no active grant. */
export type ApproverOf = (identity: string, asking: Asking) => Promise<Approver | undefined>;

/** `Set-Cookie` values that sign a person in and out. */
export interface Sessions {
  issueSession(identity: string): string;
  clearSession(): string;
}

/** How people sign in here: with the token of a local set-up, at an issuer, or before they arrive. */
export type SignIn =
  | {
      readonly kind: 'token';
      readonly sessions: Sessions;
      /** The address that the token stands for; undefined for any other token. */
      identityOf(token: string): string | undefined;
    }
  | {
      readonly kind: 'browser';
      readonly sessions: Sessions;
      /** Where to send the browser, and the `Set-Cookie` value that ties its return to it. `returnTo`: a path of ours. */
      begin(returnTo: string): Promise<{ readonly location: string; readonly setCookie: string }>;
      /** Who came back: `url` is path and query of the callback. `unauthorized` when it does not fit what was begun. */
      finish(
        url: string,
        cookie: string | undefined,
      ): Promise<{
        readonly identity: string;
        readonly returnTo: string;
        /** Ends the attempt. */
        readonly setCookie: string;
      }>;
    }
  | { readonly kind: 'elsewhere' };
