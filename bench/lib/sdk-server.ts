import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveParent } from './child.ts';

/** The SDK's own handler with one trivial tool: the peer that a call is measured against. */
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'peer', version: '0.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'trivial', description: 'Answers.', inputSchema: { type: 'object' as const, properties: {} } }],
  }));
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text' as const, text: '{"ok":true}' }] }));
  return server;
});

const http = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: 'POST',
    headers: incoming.headers as Record<string, string>,
    body: Buffer.concat(chunks),
  });
  const answer = await handler.fetch(request);
  const body = Buffer.from(await answer.arrayBuffer());
  outgoing.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
    'content-length': body.length,
  });
  outgoing.end(body);
});
http.listen(0, '127.0.0.1', () =>
  serveParent({ port: (http.address() as AddressInfo).port }, async () => void http.close()),
);
