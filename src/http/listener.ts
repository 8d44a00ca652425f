import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Log } from '../kernel/log.ts';
import { opened, stopped } from './server-life.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a slow or greedy peer gets. Times in milliseconds. */
export interface ListenerLimits {
  /** Until the last header line has come. */
  readonly headersMs: number;
  /** Until the body has come as well. */
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** That a peer may leave an answer unread. */
  readonly stalledMs: number;
  readonly maxHeaderBytes: number;
}

export interface Listener {
  /** Where it listens; the port is the real one where 0 was asked for. */
  readonly address: Address;
  /** Takes no more connections, waits for what is under way, and cuts what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Listens on one address. Rejects when it is taken. An error of one connection ends that connection alone. */
export async function listen(
  handler: RequestListener,
  at: Address,
  limits: ListenerLimits,
  log: Log,
): Promise<Listener> {
  let stopping: Promise<void> | undefined;
  const underWay = new Set<ServerResponse>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: Math.min(5000, limits.headersMs),
    },
    (request, response) => {
      underWay.add(response);
      response.on('close', () => underWay.delete(response));
      handler(request, response);
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    log.debug({ code: error.code }, 'connection.error');
    if (socket.writable && error.code !== 'ECONNRESET') socket.end(answerTo(error.code));
    else socket.destroy();
  });
  // A long call leaves its connection silent and may go on; a peer that does not take its answer may not.
  server.setTimeout(limits.stalledMs, socket => {
    if (socket.writableLength > 0) socket.destroy();
  });
  await opened(server, { host: at.host, port: at.port });
  const { address, port } = server.address() as AddressInfo;
  return {
    address: { host: address, port },
    stop: graceMs => {
      stopping ??= stopped(server, graceMs);
      // Told with the answer, so that no client sends another request into a connection about to close.
      for (const response of underWay) response.shouldKeepAlive = false;
      return stopping;
    },
  };
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const answerTo = (code = ''): string =>
  `HTTP/1.1 ${STATUS[code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
