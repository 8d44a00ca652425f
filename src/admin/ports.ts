import type { JsonObject } from '../kernel/json.ts';
import type { Progress } from '../kernel/op.ts';
import type { FileFacts } from '../pages/lanes/ports.ts';

/** One page id as the page store, its file record and the index know it. */
export interface LedgerRow {
  readonly pageId: string;
  /** Newest version in the page store; null when there is none. */
  readonly stored: { readonly seq: number; readonly sha256: string; readonly archived: boolean } | null;
  /** The file as it was last written or accepted; null before that. */
  readonly file: FileFacts | null;
  /** Hash of the version that the index holds; null when it holds none. */
  readonly indexed: string | null;
}

/** What the page store and the index hold, side by side. */
export interface PageLedger {
  /** Every commit up to this one has its file, or is not to have one. */
  publishedSeq(): number;
  /** One page id as of now. */
  row(pageId: string): Promise<LedgerRow>;
  /** Every page id of either side, some at a time; each part is taken between two commits. */
  walk(): AsyncIterable<readonly LedgerRow[]>;
}

export const TABLES = ['pages', 'blocks', 'links'] as const;
export type InspectedTable = (typeof TABLES)[number];

/** Rows of the derived index under the column names of the wire (E681-E683), by page id. */
export interface IndexTables {
  /** `links` rows carry `target` and `scenario` where the wire has `dst_page`: what a link means is not for SQL to say. */
  rows(table: InspectedTable, limit: number): Promise<readonly JsonObject[]>;
}

export interface Rebuilt {
  /** Pages that were derived anew, archived ones included. */
  readonly done: number;
  readonly total: number;
}

/**
 * Takes in what others changed in files, then derives the whole index again while it goes on answering, telling how far it is.
 * `acceptDeletions`: pages whose files are missing are archived, however many they are.
 */
export type RebuildIndex = (progress?: Progress, acceptDeletions?: boolean) => Promise<Rebuilt>;

export interface TarEntry {
  /** As it stands in the tarball. */
  readonly path: string;
  readonly data: Uint8Array;
}

/** gzip'd tar files. */
export interface Tarballs {
  /** The entries in their order; the same entries give the same bytes. */
  pack(entries: readonly TarEntry[]): Promise<Uint8Array>;
  /** The regular files, or why the bytes are no tarball of regular files and folders. Paths come as they were written. */
  unpack(bytes: Uint8Array): Promise<{ readonly entries: readonly TarEntry[] } | { readonly problem: string }>;
}

/** How far the vectors of one model are. */
export interface EmbeddingProgress {
  readonly model: string;
  readonly revision: string;
  readonly dim: number;
  readonly semantic: boolean;
  readonly done: number;
  readonly total: number;
  readonly seconds_left: number | null;
  readonly trouble: string | null;
  readonly parked: readonly { readonly block: string; readonly reason: string }[];
}

export interface EmbeddingAdmin {
  /** Opens the model that is wanted now; answers its name, or the provider's. Rejects when it cannot be had. */
  reload(): Promise<string>;
  status(): {
    readonly state: 'off' | 'down' | 'loading' | 'filling' | 'ready';
    readonly serving: EmbeddingProgress | null;
    readonly building: EmbeddingProgress | null;
  };
}
