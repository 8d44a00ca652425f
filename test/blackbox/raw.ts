import { connect, type Socket } from 'node:net';

/** An open connection that says exactly what it is told to. */
export interface Raw {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Everything received so far, once it is as asked for or the server has closed the connection. */
  until(wanted: RegExp): Promise<string>;
  /** Everything received until the server closed the connection. */
  closed(): Promise<string>;
}

export async function open(origin: string): Promise<Raw> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach(look => look());
  socket.on('data', chunk => {
    received += chunk.toString('latin1');
    wake();
  });
  // A connection that is reset is as closed as one that is ended.
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const when = (done: () => boolean): Promise<string> =>
    new Promise(resolve => {
      const look = (): void => {
        if (!ended && !done()) return;
        waiting.delete(look);
        resolve(received);
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    send: bytes => void socket.write(bytes),
    until: wanted => when(() => wanted.test(received)),
    closed: () => when(() => false),
  };
}

/** Sends these bytes on a connection of their own and returns all that comes back until the server closes it. */
export async function exchange(origin: string, bytes: string | Uint8Array): Promise<string> {
  const raw = await open(origin);
  raw.send(bytes);
  return raw.closed();
}

/** The same for bytes that the server may take for the beginning of more: nothing more is to come. */
export async function lastWords(origin: string, bytes: string | Uint8Array): Promise<string> {
  const raw = await open(origin);
  raw.socket.end(bytes);
  return raw.closed();
}

/** A request as text; a body gets its length unless the headers say something of it. */
export function requestText(target: string, headers: readonly string[], body = '', method = 'POST'): string {
  const about = headers.some(each => /^(content-length|transfer-encoding)\s*:/i.test(each));
  const length = body === '' || about ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${method} ${target} HTTP/1.1`, ...headers, ...length, '', body].join('\r\n');
}

/** Status codes of all answers in a text. */
export const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
