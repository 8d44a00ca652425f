import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Never answers. */
  readonly silent?: true;
}

export interface Service {
  readonly url: string;
  readonly asked: Asked[];
  stop(): Promise<void>;
}

/** A real HTTP service on this machine that answers as told. */
export async function startService(answer: (asked: Asked) => Given): Promise<Service> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url!,
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>,
      };
      asked.push(one);
      const { status = 200, headers = {}, body, silent } = answer(one);
      if (silent) return;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    stop() {
      server.closeAllConnections();
      return new Promise(resolve => void server.close(() => resolve()));
    },
  };
}

/** Two numbers for a text: its length and one. */
export const openAiAnswer = ({ body }: Asked): Given => ({
  body: {
    data: (body['input'] as string[]).map((text, index) => ({ index, embedding: [text.length, 1] })).toReversed(),
  },
});
