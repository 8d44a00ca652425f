import type { ExportedFile, ExportView } from '../../../../rules/export/ports.ts';
import type { LexicalSettings } from '../../../../rules/search/lexical/index.ts';
import type {
  Evidence,
  Explained,
  LexicalAnswer,
  LexicalRequest,
  ReadQuestion,
} from '../../../../rules/search/ports.ts';

/** What a thread that reads scopes is told when it starts. */
export interface ScopeReaderData {
  /** The folder with one file a scope. */
  readonly folder: string;
  readonly settings: LexicalSettings;
}

/** What can be asked of a scope, and what is answered. */
export interface ScopeAsks {
  readonly lexical: { readonly asked: LexicalRequest; readonly answer: LexicalAnswer };
  readonly evidence: {
    readonly asked: { readonly read: ReadQuestion; readonly heads: readonly Explained[] };
    readonly answer: readonly (Evidence | null)[];
  };
  readonly export: { readonly asked: ExportView; readonly answer: readonly ExportedFile[] };
}

export type ScopeQuestion = {
  [K in keyof ScopeAsks]: { readonly kind: K; readonly scope: string; readonly asked: ScopeAsks[K]['asked'] };
}[keyof ScopeAsks];

export type ScopeAnswer = ScopeAsks[keyof ScopeAsks]['answer'];
