import { createServer, type AddressInfo } from 'node:net';

/** `wanted` where nobody listens on it, else one that is free now; 0 asks for any. Rejects with EADDRINUSE unless `any`. */
export async function freePort(host: string, wanted: number, any: boolean): Promise<number> {
  try {
    return await listenOnce(host, wanted);
  } catch (thrown) {
    if (!any || (thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    return listenOnce(host, 0);
  }
}

function listenOnce(host: string, port: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => resolve(found));
    });
  });
}
