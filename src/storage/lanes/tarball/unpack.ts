import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { TarEntry } from '../../../admin/ports.ts';
import { BLOCK, checksumOf, FIELDS, padded } from './header.ts';

const unzip = promisify(gunzip);
/** A small file can unzip to anything: more than this is refused. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Reads ustar, pax and GNU long names. Links, devices and anything else that is no file or folder are refused. */
export async function unpack(
  bytes: Uint8Array,
): Promise<{ readonly entries: readonly TarEntry[] } | { readonly problem: string }> {
  let tar: Buffer;
  try {
    tar = await unzip(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const large = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { problem: large ? `it unpacks to more than ${MOST_BYTES} bytes` : 'it is not a whole gzip file' };
  }
  try {
    return { entries: entriesOf(tar) };
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.message };
    throw error;
  }
}

class Malformed extends Error {}

function entriesOf(tar: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  let longName: string | null = null;
  for (let at = 0; ;) {
    if (at + BLOCK > tar.length) throw new Malformed('the tar file has no end');
    const header = tar.subarray(at, at + BLOCK);
    if (header.every(byte => byte === 0)) return entries;
    const size = sizeOf(header);
    const data = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (data.length < size) throw new Malformed('the tar file is cut off');
    at += BLOCK + padded(size);
    const type = String.fromCharCode(header[FIELDS.type[0]]!);
    if (type === 'x') longName = paxPath(data) ?? longName;
    else if (type === 'L') longName = text(data, 0, size);
    else if (type !== 'g') {
      const path: string = longName ?? pathOf(header);
      longName = null;
      if (type === '0' || type === '\0') entries.push({ path, data });
      else if (type !== '5') throw new Malformed(`${JSON.stringify(path)} is no regular file`);
    }
  }
}

function sizeOf(header: Buffer): number {
  if (octal(header, FIELDS.checksum) !== checksumOf(header)) throw new Malformed('a header of the tar file is damaged');
  return octal(header, FIELDS.size);
}

function octal(header: Buffer, [from, length]: readonly [number, number]): number {
  const digits = header.toString('latin1', from, from + length).replace(/^[ \0]+|[ \0].*$/gs, '');
  if (!/^[0-7]+$/.test(digits)) throw new Malformed('a header of the tar file is damaged');
  return Number.parseInt(digits, 8);
}

function pathOf(header: Buffer): string {
  const name = text(header, ...FIELDS.name);
  const ustar = header.toString('latin1', FIELDS.magic[0], FIELDS.magic[0] + 6) === 'ustar\0';
  const prefix = ustar ? text(header, ...FIELDS.prefix) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Up to the first zero byte. */
function text(from: Buffer, offset: number, length: number): string {
  const field = from.subarray(offset, offset + length);
  const end = field.indexOf(0);
  const bytes = end < 0 ? field : field.subarray(0, end);
  if (!isUtf8(bytes)) throw new Malformed('a name in the tar file is not UTF-8');
  return bytes.toString('utf8');
}

function paxPath(records: Buffer): string | null {
  let path: string | null = null;
  for (let at = 0; at < records.length;) {
    const blank = records.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(records.toString('latin1', at, blank));
    if (!Number.isInteger(length) || length <= blank - at || at + length > records.length) {
      throw new Malformed('a header of the tar file is damaged');
    }
    const record = text(records, blank + 1, at + length - blank - 2);
    if (record.startsWith('path=')) path = record.slice('path='.length);
    at += length;
  }
  return path;
}
