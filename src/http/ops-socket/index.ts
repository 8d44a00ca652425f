import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { claimSocket } from './claim-socket.ts';
import { opsRoutes, type OpsRouteParts } from './routes.ts';
import { socketPath } from './socket-path.ts';
import { opened, stopped } from '../server-life.ts';

export { claimSocket };

export interface OpsSocketOptions extends OpsRouteParts {
  readonly dataDir: string;
}

export interface RunningOpsSocket {
  /** Links resolved. */
  readonly path: string;
  /** Takes no more connections, lets calls under way finish, and removes the socket. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Serves the operator on `ops.sock` in the data folder, 0600: whoever owns the folder, and nobody over the network. Rejects with
 * a StartRefusal: `ops-socket-path-too-long`, `ops-socket-unavailable`.
 */
export async function startOpsSocket({ dataDir, ...parts }: OpsSocketOptions): Promise<RunningOpsSocket> {
  const path = socketPath(dataDir);
  await claimSocket(path);
  const listener = getRequestListener(opsRoutes(parts).fetch, { overrideGlobalObjects: false });
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => void listener(request, response));
  await opened(server, { path });
  chmodSync(path, 0o600);
  return { path, stop: graceMs => stopped(server, graceMs) };
}
