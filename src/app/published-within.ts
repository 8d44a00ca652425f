/** Writes that never pause must not keep an admin waiting for good. */
const LONGEST_MS = 2000;

interface Publishing {
  readonly lanes: { up(): boolean };
  whenDrained(): Promise<void>;
}

/** Waits for the files that writes are to have; not while publishing fails, and for 2 seconds at the longest. */
export function publishedWithin({ lanes, whenDrained }: Publishing): () => Promise<void> {
  return async () => {
    if (!lanes.up()) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>(resolve => (timer = setTimeout(resolve, LONGEST_MS)));
    await Promise.race([whenDrained().catch(() => undefined), tooLong]);
    clearTimeout(timer);
  };
}
