import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSocksServer, type AddressInfo, type Server, type Socket } from 'node:net';

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

/** A proxy that answers plain requests itself, with `{"by":"proxy"}`, so that hosts need not exist, and refuses tunnels. */
export async function startProxy(onAsked: (asked: Asked) => void = () => {}): Promise<ForwardProxy> {
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
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const port = await listening(server);
  return { port, asked, close: () => void server.close(() => {}) };
}

/** A SOCKS5 proxy that leads every connection to `target`; `hosts` are those it was asked for. */
export async function startSocks(
  target: (socket: Socket) => void,
): Promise<{ port: number; hosts: string[]; close(): void }> {
  const hosts: string[] = [];
  const server = createSocksServer(socket => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (asked: Buffer) => {
        hosts.push(asked.subarray(5, 5 + asked[4]!).toString());
        socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]));
        target(socket);
      });
    });
  });
  const port = await listening(server);
  return { port, hosts, close: () => void server.close(() => {}) };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
