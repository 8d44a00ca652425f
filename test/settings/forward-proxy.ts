import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** What a proxy was asked: `GET http://host/path` or `CONNECT host:port`, and the credentials it was shown. */
export interface Asked {
  readonly line: string;
  readonly credentials: string | undefined;
}

export interface ForwardProxy {
  readonly port: number;
  readonly asked: readonly Asked[];
  close(): void;
}

/**
 * A proxy that answers plain requests itself, with `{"by":"proxy"}`, so that hosts need not exist. Tunnels lead to `tunnel`; without
 * it they are refused.
 */
export async function startProxy(
  onAsked: (asked: Asked) => void = () => {},
  tunnel?: (bytes: Buffer) => void,
): Promise<ForwardProxy> {
  const asked: Asked[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    const one = { line: `${method} ${url}`, credentials: headers['proxy-authorization'] };
    asked.push(one);
    onAsked(one);
  };
  const server = createServer((request, response) => {
    note(request);
    request.resume();
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{"by":"proxy"}'));
  });
  server.on('connect', (request, socket) => {
    note(request);
    if (!tunnel) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    return socket.once('data', bytes => {
      tunnel(bytes);
      socket.destroy();
    });
  });
  const port = await listening(server);
  return { port, asked, close: () => void server.close(() => {}) };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
