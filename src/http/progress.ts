import { isObject } from '../kernel/json.ts';
import type { Progress } from '../kernel/op.ts';

/** Sends one JSON-RPC message ahead of the answer. */
export type Notify = (message: string) => void;

/** Time between two notifications of one call; the last one does not wait. */
const EVERY_MS = 40;

/** What a caller wants to hear of the progress of a call by, when its `_meta` says so. */
export function progressTokenOf(params: unknown): string | number | undefined {
  const meta = isObject(params) ? params['_meta'] : undefined;
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** How to tell of a call's progress, where there is a token to tell it by. */
export function progressOf(params: Record<string, unknown>, notify: Notify): Progress | undefined {
  const progressToken = progressTokenOf(params);
  if (progressToken === undefined) return undefined;
  let last = -Infinity;
  let told = -Infinity;
  return (progress, total) => {
    const now = performance.now();
    if (progress <= told || (progress < total && now - last < EVERY_MS)) return;
    [last, told] = [now, progress];
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total } };
    notify(JSON.stringify(message));
  };
}
