/** A tar file is made of blocks of this size. */
export const BLOCK = 512;

/** Where the fields of a ustar header are: offset and length. */
export const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

export const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

/** Sum of the bytes with the checksum field read as blanks. */
export function checksumOf(header: Buffer): number {
  const [from, length] = FIELDS.checksum;
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= from && at < from + length ? 0x20 : header[at]!;
  return sum;
}
