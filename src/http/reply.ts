import type { ServerResponse } from 'node:http';
import { FAILURES, type Failure } from '../kernel/failure.ts';
import { encoded, type Body } from './octets.ts';

/** Headers of every answer to one request: its id, and what a browser wants to see. */
export type BaseHeaders = Readonly<Record<string, string>>;

/** Sends one answer whole, under both sets of headers. Does nothing when the peer has gone or was answered. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Body,
  more: Readonly<Record<string, string>> = NONE,
  end?: (text: string, encoding: 'latin1' | 'utf8') => void,
): void {
  if (response.headersSent || response.destroyed) return;
  const { text, encoding, bytes } = encoded(body);
  const flat: string[] = [];
  for (const name in headers) flat.push(name, headers[name]!);
  for (const name in more) flat.push(name, more[name]!);
  flat.push('content-length', String(bytes));
  response.writeHead(status, flat);
  if (end) end(text, encoding);
  else response.end(text, encoding);
}

const NONE = {} as const;

/** Says that the connection ends with this answer. */
export const LAST = { connection: 'close' } as const;
export const JSON_TYPE = { 'content-type': 'application/json' } as const;
export const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' } as const;

/**
 * A refusal outside JSON-RPC: `{error, message, …}` under its status; a missing identity is challenged (E035-E038). Where the
 * peer still sends its body, the connection ends after it.
 */
export function sendFailure(
  response: ServerResponse,
  failure: Failure,
  headers: BaseHeaders,
  challenge = 'Bearer',
): void {
  const { http } = FAILURES[failure.code];
  const late = !response.req.complete;
  const more = {
    ...JSON_TYPE,
    ...(failure.code === 'unauthorized' ? { 'www-authenticate': challenge } : NONE),
    ...(late && !('connection' in headers) ? LAST : NONE),
  };
  const body = JSON.stringify({ ...failure.data, error: failure.code, message: failure.message });
  send(response, http, headers, body, more, late ? endLate(response) : undefined);
}

const LATE_MS = 2000;
const LATE_BYTES = 64 * 1024 * 1024;

/**
 * Ends an answer to a peer whose own body is still on the way: the answer goes out at once, the connection stays until that
 * body has come and was thrown away, none of it came for two seconds, or it is larger than any that is taken. A peer that writes
 * into a closed connection sees no answer.
 */
const endLate =
  (response: ServerResponse) =>
  (text: string, encoding: 'latin1' | 'utf8'): void => {
    response.write(text, encoding);
    let left = LATE_BYTES;
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, LATE_MS).unref();
    response.req
      .on('data', (chunk: Buffer) => {
        timer.refresh();
        left -= chunk.length;
        if (left < 0) end();
      })
      .once('end', end)
      .once('close', end)
      .resume();
  };

/**
 * Lets the peer read the answer although its own body is still on the way: that body is thrown away, and the connection ends
 * only when it has not come whole after `milliseconds`. An answer that announces the end of the connection would cut it at once,
 * and a peer that writes into a closed connection sees no answer.
 */
export function hangUpAfter(response: ServerResponse, milliseconds: number): void {
  response.once('finish', () => {
    const { req } = response;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), milliseconds).unref();
    req.once('end', () => clearTimeout(timer));
  });
}
