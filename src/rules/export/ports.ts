import type { RuleVersion, SourceFacts, StoredDecision } from '../model.ts';

/** A rule with all that ever happened to it, oldest first. */
export interface ExportedRule {
  readonly id: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly versions: readonly RuleVersion[];
  readonly decisions: readonly StoredDecision[];
}

export interface ExportedSource extends SourceFacts {
  /** Characters of a mail's text, else null. */
  readonly textChars: number | null;
  /** Of a meeting, else null. */
  readonly segmentCount: number | null;
  readonly attachments: readonly {
    readonly filename: string;
    readonly media_type: string;
    readonly size: number | null;
    readonly external: string | null;
    readonly text_origin: string;
  }[];
}

/** The newest version of an entity. */
export interface ExportedEntity {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly type: string;
  readonly parent: string | null;
  readonly aliases: readonly string[];
  readonly status: string;
  readonly confirmed: boolean;
}

/** A whole scope at one moment, rejected rules and identities included. Rules and entities by number, sources by id. */
export interface ScopeSnapshot {
  readonly scope: string;
  readonly rules: readonly ExportedRule[];
  readonly sources: readonly ExportedSource[];
  readonly entities: readonly ExportedEntity[];
}

export interface ExportView {
  readonly instance: string;
  /** IANA name. */
  readonly zone: string;
  readonly now: Date;
}

export interface ExportedFile {
  readonly path: string;
  readonly text: string;
}

export interface ScopeExports {
  /** The scope as it is at one moment. Rejects with the signal's reason, and with `overloaded`. */
  files(scope: string, view: ExportView, signal?: AbortSignal): Promise<readonly ExportedFile[]>;
}
