import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join, relative, isAbsolute, sep } from 'node:path';
import type { SourceFile, Unmapped } from './model.ts';

/** Larger files are no notes; a page has to travel through an agent's context. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

interface FolderContents {
  readonly files: readonly SourceFile[];
  readonly unmapped: readonly Unmapped[];
}

interface WalkOptions {
  /** A folder to stay out of: the server's own data. */
  readonly without?: string;
  readonly maxBytes?: number;
}

interface Walk {
  readonly root: string;
  readonly without: string | undefined;
  readonly maxBytes: number;
  readonly files: SourceFile[];
  readonly unmapped: Unmapped[];
}

/**
 * Reads every markdown file below `folder`, in the order of their paths, and says why anything else is left out. Stays
 * inside the folder: no link is followed. Rejects with the code of the file system when `folder` cannot be read.
 */
export async function readFolder(folder: string, options: WalkOptions = {}): Promise<FolderContents> {
  const root = await realpath(folder);
  const without = options.without === undefined ? undefined : await realpath(options.without).catch(() => undefined);
  const walk: Walk = { root, without, maxBytes: options.maxBytes ?? MAX_FILE_BYTES, files: [], unmapped: [] };
  await walkFolder(walk, '');
  return { files: walk.files, unmapped: walk.unmapped };
}

async function walkFolder(walk: Walk, folder: string): Promise<void> {
  const entries = await readdir(join(walk.root, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const file = entry.isDirectory() ? `${path}/` : path;
    const reason = await take(walk, entry, path).catch((error: unknown) => `cannot be read: ${codeOf(error)}`);
    if (reason !== null) walk.unmapped.push({ file, reason });
  }
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

/** Takes one entry in; otherwise the reason why not. */
async function take(walk: Walk, entry: Entry, path: string): Promise<string | null> {
  const full = join(walk.root, path);
  if (entry.isSymbolicLink()) return linkReason(walk.root, full);
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isDirectory()) {
    if (full === walk.without) return 'the data folder of the server';
    if (entry.name === 'node_modules') return 'installed packages';
    await walkFolder(walk, path);
    return null;
  }
  if (!entry.isFile()) return 'not a regular file';
  if (!/\.(?:md|markdown)$/iu.test(entry.name)) return 'not markdown';
  const { size } = await stat(full);
  if (size > walk.maxBytes) return `too large: ${size} bytes, at most ${walk.maxBytes}`;
  const text = decode(await readFile(full));
  if (text === null) return 'not UTF-8';
  walk.files.push({ path, text });
  return null;
}

/** Every byte of the file, BOM included; null when it is not UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function linkReason(root: string, full: string): Promise<string> {
  const target = await realpath(full).catch(() => null);
  if (target === null) return `a link to nothing: ${await readlink(full)}`;
  const inside = relative(root, target);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) return 'a link that leaves the folder';
  return `a link to ${inside.split(sep).join('/') || '.'}, which is looked at by itself`;
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? error);
