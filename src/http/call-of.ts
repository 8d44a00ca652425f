import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../kernel/principal.ts';
import type { McpCall } from './mcp.ts';

/** What the transport knows of one message. The signal aborts when the peer goes away before it was answered. */
export function callOf(
  request: IncomingMessage,
  response: ServerResponse,
  principal: Principal,
  requestId: string,
): McpCall {
  let gone: AbortController | undefined;
  return {
    principal,
    requestId,
    headers: {
      version: header(request, 'mcp-protocol-version'),
      method: header(request, 'mcp-method'),
      name: header(request, 'mcp-name'),
    },
    traceparent: header(request, 'traceparent'),
    // Most ops never look, so the listener is made for those that do.
    signal: () => {
      gone ??= abortedWith(response);
      return gone.signal;
    },
  };
}

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

function abortedWith(response: ServerResponse): AbortController {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller;
}
