import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Export {
  readonly path: string | undefined;
  // oxlint-disable-next-line no-explicit-any -- exports are looked at as they come
  readonly body: any;
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** Takes traces over HTTP and keeps them. */
export async function startCollector() {
  const sent: Export[] = [];
  const answer = { status: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    sent.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    /** What it answers with from now on. */
    answer,
    spans: (): Span[] => sent.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans),
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

// oxlint-disable-next-line no-explicit-any -- spans are looked at as they come
export type Span = any;

export const attributesOf = (span: Span): Record<string, string> =>
  Object.fromEntries(
    span.attributes.map(({ key, value }: { key: string; value: { stringValue: string } }) => [key, value.stringValue]),
  );
