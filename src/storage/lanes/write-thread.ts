import { Worker } from 'node:worker_threads';
import { askingThread, type Answered } from '../threads/index.ts';

export interface NewFile {
  readonly path: string;
  readonly data: string | Uint8Array;
}

export interface TimedFile extends NewFile {
  /** Its modification time, in seconds since 1970. */
  readonly written: number;
}

/** What became of one new file; `code` is that of the system. */
export type NewFileOutcome = { readonly made: true } | { readonly code: string; readonly message: string };

export interface WriteThread {
  /** Makes new files, 0600 and durable, one after the other; none is left behind where it failed. */
  write(files: readonly TimedFile[]): Promise<readonly NewFileOutcome[]>;
}

/** A thread that is not asked any more is ended, and started again when it is. */
const IDLE_MS = 10_000;

/**
 * Makes many files with plain calls in a thread of its own: each file needs five, and in the thread pool every one of them
 * would wake two threads.
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
  parentPort?.on('message', ({ id, files }: { id: number; files: readonly TimedFile[] }) => {
    const answer = files.map(({ path, data, written }): NewFileOutcome => {
      let fd: number | undefined;
      try {
        fd = fs.openSync(path, 'wx', 0o600);
        fs.writeFileSync(fd, data);
        fs.futimesSync(fd, written, written);
        fs.fdatasyncSync(fd);
        if ((fs.fstatSync(fd).mode & 0o777) !== 0o600) fs.fchmodSync(fd, 0o600);
        return { made: true };
      } catch (error) {
        if (fd !== undefined) fs.rmSync(path, { force: true });
        return { code: String((error as NodeJS.ErrnoException).code), message: String((error as Error).message) };
      } finally {
        if (fd !== undefined) fs.closeSync(fd);
      }
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort.postMessage({ id, answer } satisfies Answered<readonly NewFileOutcome[]>);
  });
}
