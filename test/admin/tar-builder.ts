import { gzipSync } from 'node:zlib';

export interface RawEntry {
  readonly name: string;
  readonly data?: string | Buffer;
  /** `0` file, `5` folder, `2` symlink, `L` long name, `x` pax. */
  readonly type?: string;
  readonly prefix?: string;
  readonly damaged?: boolean;
}

/** A gzipped tar file written field by field, as other programs write them. */
export function tarOf(entries: readonly RawEntry[], end: Buffer = Buffer.alloc(1024)): Buffer {
  return gzipSync(Buffer.concat([...entries.flatMap(parts), end]));
}

function parts({ name, data = '', type = '0', prefix = '', damaged = false }: RawEntry): Buffer[] {
  const bytes = Buffer.from(data);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0001750\0', 108);
  header.write(`${bytes.length.toString(8).padStart(11, '0')} `, 124);
  header.write('14512345670 ', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\0', 257, 'latin1');
  header.write('00', 263);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, damaged ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}
