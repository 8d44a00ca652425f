import type { ServerResponse } from 'node:http';
import { FAILURES, type Failure } from '../kernel/failure.ts';

/** Sends one answer whole. Does nothing when the peer has gone or was answered. */
export function send(
  response: ServerResponse,
  status: number,
  type: string | undefined,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, {
    ...(type === undefined ? {} : { 'content-type': type }),
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A refusal outside JSON-RPC: `{error, message, …}` under its status; a missing identity names the scheme (E035-E038). */
export function sendFailure(
  response: ServerResponse,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = JSON.stringify({ ...failure.data, error: failure.code, message: failure.message });
  send(response, FAILURES[failure.code].http, JSON_TYPE, body, {
    ...(failure.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    ...headers,
  });
}

/**
 * Lets the peer read the answer although its own body is still on the way: that body is thrown away for a moment, then
 * the connection ends.
 */
export function hangUpAfter(response: ServerResponse, milliseconds: number): void {
  response.once('finish', () => {
    const { socket } = response.req;
    response.req.resume();
    setTimeout(() => socket.destroy(), milliseconds).unref();
  });
}
