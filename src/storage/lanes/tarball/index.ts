import type { Tarballs } from '../../../admin/ports.ts';
import { pack } from './pack.ts';
import { unpack } from './unpack.ts';

export const tarballs: Tarballs = { pack, unpack };
