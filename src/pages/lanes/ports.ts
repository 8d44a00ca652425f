/** What tells a stored file from its next version without reading it. */
export interface FileFacts {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, with the fraction that the lane keeps. */
  readonly mtimeMs: number;
  /** Another one after every change, whatever size and time say then; '' where nobody knows it, which equals no other. */
  readonly mark: string;
}

export interface FileEntry extends FileFacts {
  readonly path: string;
}

export interface FileWrite {
  readonly path: string;
  readonly data: string | Uint8Array;
  /** Write only over this very file, null: only where there is none; absent: over whatever is there. */
  readonly over?: FileFacts | null;
}

/**
 * `unsuitable`: this path will never work (too long, no path of the lane, a folder or link stands where the file belongs).
 * `failed`: it may work later (disk full, no right to write).
 */
export interface FileProblem {
  readonly kind: 'unsuitable' | 'failed';
  readonly message: string;
}

export type FileWritten =
  | { readonly path: string; readonly facts: FileFacts }
  /** Something else than `over` is there; it was left alone. */
  | { readonly path: string; readonly changed: true }
  | { readonly path: string; readonly problem: FileProblem };

/**
 * Whole files by path. Paths are relative, with `/` between segments, and begin with a folder of the lane. No path and no
 * link leads out of those folders (X01): such a path is read as absent and written as `unsuitable`. Adapters pass
 * test/contracts/file-lane.ts.
 */
export interface FileLane {
  /** The bytes, undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  stat(path: string): Promise<FileFacts | undefined>;
  /**
   * Creates or replaces files. Each is durable when the promise resolves; a reader, also after a power cut, sees the old
   * bytes or the new ones, never a part. One answer a write, in their order. Two writes of one path: the later one stays.
   */
  write(batch: readonly FileWrite[]): Promise<readonly FileWritten[]>;
  /** Removes a file durably; false when there was none. */
  remove(path: string): Promise<boolean>;
  /** Every file below one folder of the lane, in no order. Names that begin with a dot, and links, are passed over. */
  list(folder: string): AsyncIterable<FileEntry>;
  /** Tells a folder of the lane from another one put in its place; null when there is none. */
  identity(folder: string): Promise<string | null>;
}

/** What the system says of a path: how its file is now, null when no file is there. */
export interface Touched {
  readonly path: string;
  readonly facts: FileFacts | null;
}

/** Hears of what happens to files, whoever causes it. */
export interface FileListener {
  touched(files: readonly Touched[]): void;
  /** A folder went with all that was in it. */
  folderGone(folder: string): void;
  /** Anything may have happened: only a look at all files tells. */
  lost(): void;
  /** From here on some folders go unwatched. */
  blind(reason: string): void;
}

/** The lanes of a data folder. */
export interface Lanes {
  /** Published pages, by the paths of `fileOfPage`. */
  readonly pages: FileLane;
  /** Uploads, as `blobs/<sha256>`. */
  readonly blobs: FileLane;
  /** Removes temporary files that a killed process left over. */
  sweep(): Promise<void>;
  /** Why files of the lanes cannot be written now; null when nothing is in the way. */
  trouble(): Promise<string | null>;
  /** Tells of changes to pages' files, in each folder from its next listing on, until `stop`. */
  watch(listener: FileListener): { stop(): void };
}

/** `publish.write` after a temporary file took its bytes, `publish.fsync` after they are durable, `publish.rename` after it has its name. */
export type LaneStep = 'publish.write' | 'publish.fsync' | 'publish.rename';

/** Opens the lanes of a data folder that this process holds. */
export type OpenLanes = (dataDir: string, step: (step: LaneStep) => void) => Lanes;
