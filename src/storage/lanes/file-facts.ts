import type { BigIntStats } from 'node:fs';
import type { FileFacts } from '../../pages/lanes/ports.ts';

/** What facts are made of. */
export type FileStats = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/**
 * What the system says of a file, asked with big integers. The change time moves with every write, also where somebody
 * sets the modification time back, and another file under the same name has another inode.
 */
export const factsOf = ({ size, mtimeNs, ctimeNs, ino }: FileStats): FileFacts => ({
  size: Number(size),
  mtimeMs: Number(mtimeNs) / 1e6,
  mark: `${ino}:${ctimeNs}`,
});
