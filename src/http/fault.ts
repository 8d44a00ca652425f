/** Where a fault of ours was thrown, for the log. Its message stays out: it may quote what a caller sent. */
export function faultOf(thrown: unknown): { readonly error?: string; readonly stack?: readonly string[] } {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  if (!(cause instanceof Error)) return {};
  const frames = (cause.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { error: cause.name, stack: frames.map(line => line.trim()) };
}
