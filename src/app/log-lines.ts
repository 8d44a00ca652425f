import { writeSync } from 'node:fs';

/** Where a log leaves its lines. */
export interface LogLines {
  write(line: string): void;
}

/**
 * Lines for a file descriptor. What one turn of the event loop logs goes out in one write at its end, so that many calls at once
 * do not cost a system call each; what is left when the process ends goes out then, after a fault too. A reader who is slow is
 * waited for. One who has gone, or a full disk, loses lines and never ends the server.
 */
export function logLines(fd: number): LogLines {
  let waiting = '';
  const flush = (): void => {
    const lines = Buffer.from(waiting);
    waiting = '';
    for (let at = 0; at < lines.length;) {
      const written = writtenTo(fd, lines.subarray(at));
      if (written === undefined) return;
      at += written;
    }
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
  };
}

const SLOW_MS = 10;

/** How many bytes were taken, none of them while a pipe is full; undefined when nothing ever will be. */
function writtenTo(fd: number, bytes: Buffer): number | undefined {
  try {
    return writeSync(fd, bytes);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_MS);
    return 0;
  }
}
