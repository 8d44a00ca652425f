export type RefusalCode = 'data-folder-locked' | 'data-folder-unusable' | 'schema-too-new';

/** Why a data folder cannot be opened. The message is the whole line to print: `code: reason`. */
export class StorageRefusal extends Error {
  readonly code: RefusalCode;
  /** The process that holds the folder, null when it is unknown or nobody does. */
  readonly pid: number | null;

  constructor(code: RefusalCode, reason: string, pid: number | null = null) {
    super(`${code}: ${reason}`);
    this.name = 'StorageRefusal';
    this.code = code;
    this.pid = pid;
  }
}
