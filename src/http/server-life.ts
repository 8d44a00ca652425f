import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';

/** Resolves when the server listens; rejects when the address cannot be had. */
export const opened = (server: Server, at: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Takes no more connections, lets calls under way finish, and after `graceMs` cuts the rest. */
export async function stopped(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that was busy when the stop began becomes idle later.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
