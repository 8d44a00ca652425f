/** Runs `task` over all items, at most `width` at a time. */
export async function inParallel<T>(width: number, items: readonly T[], task: (item: T, at: number) => Promise<void>) {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      await task(items[at]!, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
}
