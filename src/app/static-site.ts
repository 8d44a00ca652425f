import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Site, SiteFile } from '../http/index.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};
const START_PAGE = 'index.html';

/**
 * Files of a folder by the path of a request; any other path is `index.html`, so that a program of one page may name its
 * own places (N008, E706). Nothing outside the folder is read, not even through a link (X01).
 */
export function staticSite(folder: string): Site {
  async function fileAt(path: string): Promise<SiteFile | undefined> {
    try {
      const root = await realpath(folder);
      const file = await realpath(join(root, path));
      if (!file.startsWith(root + sep) || !(await stat(file)).isFile()) return undefined;
      return { bytes: await readFile(file), type: TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream' };
    } catch {
      // No such name, no right to read it, or a name that no file system takes.
      return undefined;
    }
  }
  return async path => (await fileAt(decoded(path))) ?? fileAt(START_PAGE);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
