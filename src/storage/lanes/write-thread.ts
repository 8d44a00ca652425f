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
    () => {
      // Compilers that keep names of functions call __name in what they make of a nested one.
      const code = `const __name = named => named;
        (${threadMain})(require('node:fs'), require('node:worker_threads'))`;
      return new Worker(code, { eval: true, execArgv: [] });
    },
    { name: 'file writing', idleMs: IDLE_MS },
  );
  return { write: files => thread.ask({ files }) };
}

/** Runs in the thread. It is handed over as text, so that it needs no loader: nothing from outside exists in here. */
function threadMain(fs: typeof import('node:fs'), { parentPort }: typeof import('node:worker_threads')): void {
  // So many are open at once.
  const together = 64;
  const refused = (error: unknown): NewFileOutcome => {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code: String(code), message: String(message) };
  };

  /** A new file that is to be synced and closed, or why there is none. */
  function make({ path, data, written }: TimedFile): { path: string; fd: number } | NewFileOutcome {
    let fd: number | undefined;
    try {
      fd = fs.openSync(path, 'wx', 0o600);
      fs.writeFileSync(fd, data);
      fs.futimesSync(fd, written, written);
      return { path, fd };
    } catch (error) {
      if (fd === undefined) return refused(error);
      fs.rmSync(path, { force: true });
      fs.closeSync(fd);
      return refused(error);
    }
  }

  function settle({ path, fd }: { path: string; fd: number }): NewFileOutcome {
    try {
      fs.fdatasyncSync(fd);
      const { mode, ino, size, mtimeNs, ctimeNs } = fs.fstatSync(fd, { bigint: true });
      if ((mode & 0o777n) !== 0o600n) fs.fchmodSync(fd, 0o600);
      return { made: { ino, size, mtimeNs, ctimeNs } };
    } catch (error) {
      fs.rmSync(path, { force: true });
      return refused(error);
    } finally {
      fs.closeSync(fd);
    }
  }

  parentPort?.on('message', ({ id, files }: { id: number; files: readonly TimedFile[] }) => {
    const answer: NewFileOutcome[] = [];
    for (let from = 0; from < files.length; from += together) {
      const made = files.slice(from, from + together).map(make);
      answer.push(...made.map(one => ('fd' in one ? settle(one) : one)));
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort.postMessage({ id, answer } satisfies Answered<readonly NewFileOutcome[]>);
  });
}
