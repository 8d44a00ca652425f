import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

export interface TestHub {
  readonly url: string;
  /** Paths of files asked for, with the range. */
  readonly asked: { path: string; range: string | undefined }[];
  /** Breaks the connection after so many bytes of a file, once, as soon as they have `arrived`. */
  breakAfter(path: string, bytes: number, arrived: () => boolean): void;
  /** Sends other bytes than it states, from now on. */
  corrupt(path: string): void;
  /** Ignores ranges, as simple servers do. */
  ignoreRanges(): void;
  stop(): Promise<void>;
}

/** A hub as Hugging Face's, with one model: small files by the sum of git, large ones by SHA-256. */
export async function startHub(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<TestHub> {
  const asked: TestHub['asked'] = [];
  const breaks = new Map<string, { bytes: number; arrived: () => boolean }>();
  const corrupt = new Set<string>();
  let ranges = true;
  const bytesOf = (path: string): Buffer => Buffer.from(files[path]!);
  const siblings = Object.keys(files).map(path => {
    const bytes = bytesOf(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blobId = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    return path.endsWith('.onnx')
      ? { rfilename: path, blobId: 'pointer', size: bytes.length, lfs: { sha256, size: bytes.length } }
      : { rfilename: path, blobId, size: bytes.length };
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://hub');
    if (url.pathname === `/api/models/${name}/revision/main`) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: name, sha: COMMIT, siblings }));
      return;
    }
    const path = url.pathname.replace(`/${name}/resolve/${COMMIT}/`, '');
    if (files[path] === undefined) {
      response.statusCode = 404;
      response.end();
      return;
    }
    const range = request.headers.range;
    asked.push({ path, range });
    const whole = corrupt.has(path) ? Buffer.alloc(bytesOf(path).length, 'x') : bytesOf(path);
    const from = ranges && range ? Number(/bytes=(\d+)-/.exec(range)![1]) : 0;
    if (from >= whole.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = whole.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
    const end = breaks.get(path);
    breaks.delete(path);
    if (!end) {
      response.end(rest);
      return;
    }
    response.write(rest.subarray(0, end.bytes));
    const look = setInterval(() => {
      if (!end.arrived()) return;
      clearInterval(look);
      response.socket?.end();
    }, 2);
    response.once('close', () => clearInterval(look));
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    breakAfter: (path, bytes, arrived) => void breaks.set(path, { bytes, arrived }),
    corrupt: path => void corrupt.add(path),
    ignoreRanges() {
      ranges = false;
    },
    stop() {
      server.closeAllConnections();
      return new Promise(resolve => void server.close(() => resolve()));
    },
  };
}
