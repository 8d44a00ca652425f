import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../kernel/failure.ts';

/**
 * The whole body, or `too-large` as soon as it is known to be over `limit` bytes; the rest is then left unread.
 * Rejects when the connection ends before the body does.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too-large'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too-large');
  return request.complete && !request.destroyed ? arrived(request, limit) : coming(request, limit);
}

/** Most bodies are there before anybody asks, and reading them takes no listeners. */
async function arrived(request: IncomingMessage, limit: number): Promise<Buffer | 'too-large'> {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  return body.length > limit ? 'too-large' : body;
}

function coming(request: IncomingMessage, limit: number): Promise<Buffer | 'too-large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: Buffer | 'too-large'): void => {
      settled = true;
      resolve(body);
    };
    // A connection that breaks is an error first and closed then; it may have been closed before anyone looked.
    const broken = (): void => {
      if (!settled) reject(new Failure('invalid_request', 'the connection ended before the body did'));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      request.off('data', take).pause();
      settle('too-large');
    };
    if (request.destroyed) broken();
    request.on('data', take);
    request.on('end', () => settle(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', broken);
    request.on('close', broken);
  });
}

/** Why a body is not plain JSON, by its headers. */
export function contentProblem(request: IncomingMessage): Failure | undefined {
  const type = request.headers['content-type'] ?? '';
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (type !== 'application/json' && !isJsonType(type))
    return new Failure('unsupported_media_type', 'Content-Type: expected application/json');
  if (encoding !== 'identity') return new Failure('unsupported_media_type', 'Content-Encoding: expected none');
  return undefined;
}

function isJsonType(header: string): boolean {
  const [type, ...parameters] = header.toLowerCase().split(';');
  const charset = parameters.map(each => each.trim()).find(each => each.startsWith('charset='));
  return type!.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** The value of a JSON text in UTF-8; undefined when it is none. */
export function jsonOf(body: Buffer): { readonly value: unknown } | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return { value: JSON.parse(body.toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}
