import { setTimeout as wait } from 'node:timers/promises';
import { EmbedderFault } from '../../../search/vectors/index.ts';

export interface ServiceOptions {
  /** Of the settings; never of a caller. */
  readonly url: string;
  /** Sent as they are; never logged. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** The JSON that came back, or that the service takes the question itself for wrong. */
export type Answer = { readonly json: unknown } | { readonly refused: string };

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 200;
/** A service that wants to be left alone for longer is left alone by the caller. */
const LONGEST_PAUSE_MS = 2000;
const MOST_BYTES = 64 * 1024 * 1024;
const REFUSALS = new Set([400, 413, 422]);

/**
 * Posts JSON and reads JSON. What may pass is tried three times: no connection, no answer in time, 408, 429 and 5xx. Rejects with an
 * EmbedderFault that names the status and the host, and no header.
 */
export async function ask(options: ServiceOptions, body: unknown, signal: AbortSignal | undefined): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(options, body, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Passing) || attempt === ATTEMPTS || (error.retryAfterMs ?? 0) > LONGEST_PAUSE_MS)
        throw error;
      await wait(error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt, undefined, signal ? { signal } : {});
    }
  }
}

/** A fault that may be gone the next time. */
class Passing extends EmbedderFault {}

async function askOnce(options: ServiceOptions, body: unknown, signal: AbortSignal | undefined): Promise<Answer> {
  const { url, headers, timeoutMs, fetch } = options;
  const host = new URL(url).host;
  const late = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key must not follow to another place.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    text = await bounded(response);
  } catch (error) {
    if (error instanceof EmbedderFault) throw error;
    throw new Passing(late.aborted ? `${host} did not answer in ${timeoutMs} ms` : `${host} cannot be reached`, {
      cause: error,
    });
  }
  if (REFUSALS.has(response.status))
    return { refused: `${host} refuses it with ${response.status}: ${text.slice(0, 200)}` };
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new Passing(
      `${host} answers ${response.status}`,
      Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {},
    );
  }
  if (!response.ok) throw new EmbedderFault(`${host} answers ${response.status}`);
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    throw new EmbedderFault(`${host} answers no JSON`, { cause: error });
  }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new EmbedderFault(`${new URL(response.url).host} sends more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
