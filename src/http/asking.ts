import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { REQUEST_ID } from './request-id.ts';

/** What is known of a request, whatever it asks for. */
export interface Asking {
  readonly requestId: string;
  /** The header of that name: the request's place in a trace that began elsewhere. */
  readonly traceparent: string | undefined;
  /** Aborts when the peer goes away before it was answered. */
  readonly signal: () => AbortSignal;
}

/** Of a bare request. */
export function askingOf(request: IncomingMessage, response: ServerResponse, requestId: string): Asking {
  let gone: AbortSignal | undefined;
  return {
    requestId,
    traceparent: headerOf(request, 'traceparent'),
    // Most ops never look, so the listener is made for those that do.
    signal: () => (gone ??= abortedWith(response)),
  };
}

/** Of one below the framework. */
export function askingIn(c: Context<{ Bindings: HttpBindings }>): Asking {
  // The bindings name HTTP/2 as well, which this server does not speak.
  const { incoming, outgoing } = c.env as { incoming: IncomingMessage; outgoing: ServerResponse };
  return askingOf(incoming, outgoing, requestIdIn(c));
}

/** The front door has given the request its id already. */
export const requestIdIn = (c: Context<{ Bindings: HttpBindings }>): string =>
  String(c.env.outgoing.getHeader(REQUEST_ID) ?? '');

/** One header; sent several times, its values joined by commas. */
export const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

function abortedWith(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
