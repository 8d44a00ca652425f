import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TarEntry } from '../../../admin/ports.ts';
import { BLOCK, checksumOf, FIELDS, padded } from './header.ts';

const zip = promisify(gzip);
/** Unknown system, in the header of the gzip format: zlib would write the one it runs on. */
const OS_BYTE = 9;
const MODE = 0o644;

/** ustar with a pax record for paths that do not fit; no times, no owners, so that only paths and bytes count. */
export async function pack(entries: readonly TarEntry[]): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for (const { path, data } of entries) {
    const name = Buffer.from(path);
    if (name.length > FIELDS.name[1]) append(parts, 'x', Buffer.from('pax'), paxPath(name));
    append(parts, '0', name.subarray(0, FIELDS.name[1]), Buffer.from(data));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  const zipped = await zip(Buffer.concat(parts), { level: 9 });
  zipped[OS_BYTE] = 0xff;
  return zipped;
}

function append(parts: Buffer[], type: string, name: Buffer, data: Buffer): void {
  const header = Buffer.alloc(BLOCK);
  const octal = (field: readonly [number, number], value: number): void => {
    header.write(value.toString(8).padStart(field[1] - 1, '0'), field[0], 'latin1');
  };
  name.copy(header, FIELDS.name[0]);
  octal(FIELDS.mode, MODE);
  octal(FIELDS.uid, 0);
  octal(FIELDS.gid, 0);
  octal(FIELDS.size, data.length);
  octal(FIELDS.mtime, 0);
  header.write(type, FIELDS.type[0], 'latin1');
  header.write('ustar\x0000', FIELDS.magic[0], 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, FIELDS.checksum[0], 'latin1');
  parts.push(header, data, Buffer.alloc(padded(data.length) - data.length));
}

/** `<length> path=<path>\n`, where the length counts itself. */
function paxPath(path: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(' path='), path, Buffer.from('\n')]);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}
