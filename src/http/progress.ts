import { isObject } from '../kernel/json.ts';
import type { Progress } from '../kernel/op.ts';

/** Sends one JSON-RPC message ahead of the answer. */
export type Notify = (message: string) => void;

/** Time between two notifications of one call; the last one does not wait. */
const EVERY_MS = 40;

/** How to tell of a call's progress, when its `_meta` holds a token to tell it by; undefined when it does not. */
export function progressOf(params: Record<string, unknown>, notify: Notify): Progress | undefined {
  const meta = params['_meta'];
  const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
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
