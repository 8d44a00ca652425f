import { Worker } from 'node:worker_threads';
import { askingThread, type Answered } from '../threads/index.ts';
import type { FileStats } from './file-facts.ts';

export interface NewFile {
  readonly path: string;
  readonly data: string | Uint8Array;
}

export interface TimedFile extends NewFile {
  /** Its modification time, in seconds since 1970. */
  readonly written: number;
}

/** What became of one new file: how it is now, or the system's `code`. */
export type NewFileOutcome = { readonly made: FileStats } | { readonly code: string; readonly message: string };

export interface WriteThread {
  /** Makes new files, 0600 and durable; none is left behind where it failed. */
  write(files: readonly TimedFile[]): Promise<readonly NewFileOutcome[]>;
}

/** A thread that is not asked any more is ended, and started again when it is. */
const IDLE_MS = 10_000;

/**
 * Makes many files with plain calls in a thread of its own: each file needs six, and in the thread pool every one of them
 * would wake two threads. Files are written before the first is synced: what the file system notes of all of them then goes
 * to the disk with the first sync.
 */
export function writeThread(): WriteThread {
  const thread = askingThread<{ files: readonly TimedFile[] }, readonly NewFileOutcome[]>(
    () =>
      new Worker(`(${threadMain})(require('node:fs'), require('node:worker_threads'))`, { eval: true, execArgv: [] }),
    { name: 'file writing', idleMs: IDLE_MS },
  );
  return { write: files => thread.ask({ files }) };
}

/** Runs in the thread. It is handed over as text, so that it needs no loader: nothing from outside exists in here. */
function threadMain(fs: typeof import('node:fs'), { parentPort }: typeof import('node:worker_threads')): void {
  // So many are open at once.
  const together = 64;
  parentPort?.on('message', ({ id, files }: { id: number; files: readonly TimedFile[] }) => {
    const outcomes: NewFileOutcome[] = [];
    for (let from = 0; from < files.length; from += together) {
      const fds = new Map<number, number>();
      const to = Math.min(from + together, files.length);
      for (const sync of [false, true]) {
        for (let at = from; at < to; at += 1) {
          const { path, data, written } = files[at]!;
          try {
            if (!sync) {
              const fd = fs.openSync(path, 'wx', 0o600);
              fds.set(at, fd);
              fs.writeFileSync(fd, data);
              fs.futimesSync(fd, written, written);
            } else if (!outcomes[at]) {
              const fd = fds.get(at)!;
              fs.fdatasyncSync(fd);
              const { mode, ino, size, mtimeNs, ctimeNs } = fs.fstatSync(fd, { bigint: true });
              if ((mode & 0o777n) !== 0o600n) fs.fchmodSync(fd, 0o600);
              outcomes[at] = { made: { ino, size, mtimeNs, ctimeNs } };
            }
          } catch (error) {
            if (fds.has(at)) fs.rmSync(path, { force: true });
            outcomes[at] = {
              code: String((error as NodeJS.ErrnoException).code),
              message: String((error as Error).message),
            };
          }
        }
      }
      for (const fd of fds.values()) fs.closeSync(fd);
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort.postMessage({ id, answer: outcomes } satisfies Answered<readonly NewFileOutcome[]>);
  });
}
