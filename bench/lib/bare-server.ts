import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './child.ts';

/** A bare node:http server that reads a request and answers the bytes it was given: the ceiling. */
const bytes = Buffer.from(process.argv[2] ?? '{}', 'utf8');

const http = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    outgoing.end(bytes);
  });
});
http.listen(0, '127.0.0.1', () =>
  serveParent({ port: (http.address() as AddressInfo).port }, async () => void http.close()),
);
