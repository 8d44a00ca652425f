import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../kernel/principal.ts';
import { askingOf, headerOf } from './asking.ts';
import type { McpCall } from './mcp.ts';

/** What the transport knows of one message. */
export function callOf(
  request: IncomingMessage,
  response: ServerResponse,
  principal: Principal,
  requestId: string,
): McpCall {
  const { traceparent, signal } = askingOf(request, response, requestId);
  return {
    principal,
    requestId,
    headers: {
      version: headerOf(request, 'mcp-protocol-version'),
      method: headerOf(request, 'mcp-method'),
      name: headerOf(request, 'mcp-name'),
    },
    traceparent,
    signal,
  };
}
