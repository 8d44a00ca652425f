import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusal } from '../../kernel/start-refusal.ts';

/** What an address of a Unix socket holds, its closing zero byte included. The BSDs and macOS have the least. */
const LIMITS: Partial<Record<NodeJS.Platform, number>> = { linux: 108, android: 108 };
const LEAST = 104;

/**
 * The path of the operator's socket, links resolved. Throws `ops-socket-path-too-long` when it does not fit an address, as
 * given or resolved: both are used, by the server and by its client.
 */
export function socketPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const limit = LIMITS[platform] ?? LEAST;
  const resolved = join(realpathSync(dataDir), 'ops.sock');
  for (const path of [join(dataDir, 'ops.sock'), resolved]) {
    const length = Buffer.byteLength(path) + 1;
    if (length > limit) {
      throw new StartRefusal(
        'ops-socket-path-too-long',
        `${path} takes ${length} bytes of an address that holds ${limit}; choose a shorter CAIRN_DATA_DIR`,
      );
    }
  }
  return resolved;
}
