import type { Log } from '../../kernel/log.ts';
import { faultOf } from '../fault.ts';
import { otlpBody, otlpSpan, type OtlpSpan, type TraceSource } from './otlp.ts';
import { spanContext, type CallSpan } from './span.ts';

/** Sends traces of calls to a collector. Calls never wait for it and never fail by it. */
export interface Traces {
  call(span: CallSpan): void;
  /** Sends what is left, or gives up after two seconds. */
  stop(): Promise<void>;
}

interface TracesOptions extends TraceSource {
  /** The collector over HTTP; `/v1/traces` is added to an address without it (OTLP, JSON encoding; N075). */
  readonly endpoint: string;
  readonly fetch: typeof fetch;
  readonly log: Log;
}

const EVERY_MS = 5000;
const PATIENCE_MS = 10_000;
const LAST_MS = 2000;
const BATCH = 512;
/** Spans that wait at the most; what comes on top is dropped and counted. */
const WAITING = 2048;

export function createTraces(options: TracesOptions): Traces {
  const url = tracesUrl(options.endpoint);
  let waiting: OtlpSpan[] = [];
  let dropped = 0;
  let failing = false;
  let sending: Promise<void> | undefined;
  const timer = setInterval(() => void flush(PATIENCE_MS), EVERY_MS).unref();

  async function send(spans: readonly OtlpSpan[], patienceMs: number): Promise<void> {
    try {
      const answer = await options.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: otlpBody(spans, options),
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      if (failing) options.log.info({ dropped }, 'traces are taken again');
      [failing, dropped] = [false, 0];
    } catch (thrown) {
      dropped += spans.length;
      // Once for each time it stops working, not once a batch.
      if (!failing) options.log.warn(faultOf(thrown), 'traces are not taken');
      failing = true;
    }
  }

  async function drain(patienceMs: number): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      await send(batch, patienceMs);
    }
  }

  async function flush(patienceMs: number): Promise<void> {
    sending ??= drain(patienceMs).finally(() => (sending = undefined));
    await sending;
  }

  return {
    call(span) {
      const context = spanContext(span.traceparent);
      if (!context) return;
      if (waiting.length >= WAITING) dropped += 1;
      else waiting.push(otlpSpan(span, context));
      if (waiting.length === BATCH) void flush(PATIENCE_MS);
    },
    async stop() {
      clearInterval(timer);
      let late: NodeJS.Timeout | undefined;
      const limit = new Promise<void>(resolve => {
        late = setTimeout(resolve, LAST_MS);
      });
      await Promise.race([flush(LAST_MS), limit]);
      clearTimeout(late);
    },
  };
}

function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`;
  return url.href;
}
