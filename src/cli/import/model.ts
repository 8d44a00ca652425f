/** A markdown file of the folder: its path below the folder, with `/`, and its text, BOM included. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A file or folder that is not imported, and why. Folders end in `/`. */
export interface Unmapped {
  readonly file: string;
  readonly reason: string;
}

/** A page to be written. `from` is null for a skill page that the import makes up. */
export interface PlannedPage {
  readonly pageId: string;
  readonly content: string;
  readonly from: string | null;
}

/** What happened to a file's own header. `text`: it could not be read and became part of the body. */
export type HeaderFate = 'kept' | 'added' | 'extended' | 'text';

export interface Mapped {
  readonly file: string;
  readonly pageId: string;
  readonly skill: string;
  readonly id: string;
  readonly header: HeaderFate;
}

/**
 * `same-name`: two files have one name, the ids say how they are told apart. `same-id`: two pages bring one id in their
 * headers. `look-alike`: ids that differ in case, spaces, hyphens or underscores only. `same-path`: page ids that a file
 * system may take for one, the later ones got a number.
 */
export type ClashKind = 'same-name' | 'same-id' | 'look-alike' | 'same-path';

/** Names that could be taken for each other (L13). `files[n]` has `ids[n]`; nothing was left out because of it. */
export interface Clash {
  readonly kind: ClashKind;
  readonly files: readonly string[];
  readonly ids: readonly string[];
}

export interface Remark {
  readonly file: string;
  readonly message: string;
}

export interface LooseLink {
  readonly file: string;
  readonly line: number;
  readonly link: string;
}

/** Where the links of the imported files lead. `attachments` are links to files that were not imported. */
export interface LinkCount {
  readonly found: number;
  readonly resolved: number;
  readonly attachments: number;
  readonly unresolved: readonly LooseLink[];
}

export interface ImportPlan {
  /** Skill pages first. */
  readonly pages: readonly PlannedPage[];
  /** Skills that get a page unless the server has one. */
  readonly skillsCreated: readonly string[];
  readonly mapped: readonly Mapped[];
  readonly unmapped: readonly Unmapped[];
  readonly clashes: readonly Clash[];
  readonly remarks: readonly Remark[];
  readonly links: LinkCount;
}

export interface PlanOptions {
  /** The skill of every note, instead of one a folder. */
  readonly into?: string;
  /** What the folder walk left out already. */
  readonly unmapped?: readonly Unmapped[];
}
