import type { BigIntStats } from 'node:fs';
import type { FileFacts } from '../../pages/lanes/ports.ts';

/**
 * What the system says of a file, from `lstat` with big integers. The change time moves with every write, also where somebody
 * sets the modification time back, and another file under the same name has another inode.
 */
export const factsOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileFacts => ({
  size: Number(size),
  mtimeMs: Number(mtimeNs) / 1e6,
  mark: `${ino}:${ctimeNs}`,
});
