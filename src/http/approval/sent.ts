import { isUtf8 } from 'node:buffer';
import { Failure } from '../../kernel/failure.ts';
import { isObject } from '../../kernel/json.ts';
import { jsonOf, readBody } from '../body.ts';
import type { Ctx } from './answer.ts';

/** What came with a request. */
export type Sent =
  | { readonly kind: 'form'; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: 'json'; readonly value: Readonly<Record<string, unknown>> };

/** Largest body, in bytes (contract 6). */
const LIMIT = 256 * 1024;

/** In which form a request comes, and so in which it is answered; undefined for media types that are not understood. */
export function formOf(c: Ctx): Sent['kind'] | undefined {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map(one => one.trim()).find(one => one.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return undefined;
  if (type.trim() === 'application/x-www-form-urlencoded') return 'form';
  return type.trim() === 'application/json' ? 'json' : undefined;
}

/** Reads a body of the given form. Refuses what is too large, encoded, no UTF-8, no object, or names a field twice. */
export async function readSent(c: Ctx, kind: Sent['kind'] | undefined): Promise<Sent> {
  const { incoming } = c.env;
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (kind === undefined || encoding !== 'identity') {
    throw new Failure('unsupported-media-type', 'expected a form or application/json, not compressed');
  }
  const body = await readBody(incoming as Parameters<typeof readBody>[0], LIMIT);
  if (body === 'too-large') throw new Failure('payload-too-large', `the body is over ${LIMIT} bytes`);
  if (kind === 'form') return { kind, fields: fieldsOf(body) };
  const parsed = jsonOf(body);
  if (!parsed) throw new Failure('bad-json', 'expected JSON in UTF-8');
  if (!isObject(parsed.value)) throw new Failure('validation-failed', 'expected an object');
  return { kind, value: parsed.value };
}

function fieldsOf(body: Buffer): ReadonlyMap<string, string> {
  if (!isUtf8(body)) throw new Failure('validation-failed', 'the form is no UTF-8');
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body.toString())) {
    if (fields.has(name)) throw new Failure('validation-failed', `${name.slice(0, 64)}: given twice`);
    fields.set(name, value);
  }
  return fields;
}
