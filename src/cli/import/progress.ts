const WIDTH = 24;

/** One line that replaces itself: `[######------------------]  12/48 pages`. */
export function progressLine(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((done / total) * WIDTH);
  const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
  return `[${bar}] ${String(done).padStart(String(total).length)}/${total} pages`;
}

/** Draws progress on a terminal; anywhere else it says nothing. The line is gone when all is done. */
export function progressBar(out: {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}): (done: number, total: number) => void {
  if (out.isTTY !== true) return () => undefined;
  return (done, total) => void out.write(done === total ? '\r\u001b[K' : `\r${progressLine(done, total)}`);
}
