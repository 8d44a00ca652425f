import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileEvent } from './trace.ts';

/** Decides for one piece of unsynced work whether a power cut left it on the disk. */
export type Keep = () => boolean;

const SECTOR = 512;

interface Change {
  readonly offset: number;
  /** Null: the file was cut at `offset`. */
  readonly data: Buffer | null;
}

interface File {
  readonly folder: boolean;
  /** What the disk is sure to have. */
  durable: Buffer;
  unsynced: Change[];
}

/** A name that was given or taken away; durable once its folder was synced. */
interface Naming {
  readonly folder: string;
  readonly path: string;
  readonly file: File | null;
  /** The name it had before, for a rename. */
  readonly from: string | null;
}

/**
 * A disk that promises no more than the standard does: bytes are safe after a sync of their file, names after a sync of their
 * folder; everything else may be there or not, by sectors and in any order.
 */
export class Disk {
  private readonly root: string;
  private readonly names = new Map<string, File>();
  private durableNames = new Map<string, File>();
  private namings: Naming[] = [];
  private readonly syncing = new Map<number, { readonly changes: number; readonly namings: number }>();

  constructor(root: string) {
    this.root = root;
    const folder = { folder: true, durable: Buffer.alloc(0), unsynced: [] };
    this.names.set(root, folder);
    this.durableNames.set(root, folder);
  }

  apply(event: FileEvent): void {
    switch (event.kind) {
      case 'open':
        if (event.create && this.inside(event.path) && !this.names.has(event.path)) this.name(event.path, false);
        if (event.truncate) this.names.get(event.path)?.unsynced.push({ offset: 0, data: null });
        return;
      case 'write':
        this.names.get(event.path)?.unsynced.push({ offset: event.offset, data: event.data });
        return;
      case 'truncate':
        this.names.get(event.path)?.unsynced.push({ offset: event.size, data: null });
        return;
      case 'mkdir':
        if (this.inside(event.path) && !this.names.has(event.path)) this.name(event.path, true);
        return;
      case 'unlink':
        if (!this.names.delete(event.path)) return;
        this.namings.push({ folder: dirname(event.path), path: event.path, file: null, from: null });
        return;
      case 'rename': {
        const file = this.names.get(event.from);
        if (!file) return;
        this.names.delete(event.from);
        this.names.set(event.to, file);
        this.namings.push({ folder: dirname(event.to), path: event.to, file, from: event.from });
        return;
      }
      case 'sync-begin': {
        const file = this.names.get(event.path);
        if (file) this.syncing.set(event.id, { changes: file.unsynced.length, namings: this.namings.length });
        return;
      }
      case 'sync-end':
        this.sync(event);
    }
  }

  private inside(path: string): boolean {
    return path.startsWith(`${this.root}/`);
  }

  private name(path: string, folder: boolean): void {
    const file = { folder, durable: Buffer.alloc(0), unsynced: [] };
    this.names.set(path, file);
    this.namings.push({ folder: dirname(path), path, file, from: null });
  }

  /** Only what was there when the sync began is sure. */
  private sync({ path, id }: { readonly path: string; readonly id: number }): void {
    const begun = this.syncing.get(id);
    const file = this.names.get(path);
    this.syncing.delete(id);
    if (!begun || !file) return;
    if (!file.folder) {
      file.durable = changed(file.durable, file.unsynced.splice(0, begun.changes), () => true);
      return;
    }
    const rest: Naming[] = [];
    for (const [at, naming] of this.namings.entries()) {
      if (at < begun.namings && naming.folder === path) settle(this.durableNames, naming);
      else rest.push(naming);
    }
    this.namings = rest;
  }

  /** Writes what a power cut might leave into `target`, which stands for the root. */
  cut(target: string, keep: Keep): void {
    const names = new Map(this.durableNames);
    for (const naming of this.namings) if (keep()) settle(names, naming);
    const folders = [...names].filter(([, file]) => file.folder).map(([path]) => path);
    const reached = new Set<string>();
    for (const path of folders.toSorted((a, b) => a.length - b.length)) {
      if (path !== this.root && !reached.has(dirname(path))) continue;
      reached.add(path);
      mkdirSync(join(target, path.slice(this.root.length)), { recursive: true });
    }
    for (const [path, file] of names) {
      // Shared memory is gone with the power.
      if (file.folder || !reached.has(dirname(path)) || path.endsWith('-shm')) continue;
      writeFileSync(join(target, path.slice(this.root.length)), changed(file.durable, file.unsynced, keep));
    }
  }
}

/** A file that got a later name is not found under the earlier one. */
function settle(names: Map<string, File>, { path, file, from }: Naming): void {
  if (from !== null && names.get(from) === file) names.delete(from);
  if (file === null) names.delete(path);
  else names.set(path, file);
}

function changed(durable: Buffer, changes: readonly Change[], keep: Keep): Buffer {
  if (changes.length === 0) return durable;
  let bytes: Buffer = Buffer.from(durable);
  for (const { offset, data } of changes) {
    if (data === null) {
      if (keep()) bytes = offset <= bytes.length ? Buffer.from(bytes.subarray(0, offset)) : grown(bytes, offset);
      continue;
    }
    for (let at = 0; at < data.length;) {
      const end = Math.min(data.length, at + SECTOR - ((offset + at) % SECTOR));
      if (keep()) {
        bytes = grown(bytes, offset + end);
        data.copy(bytes, offset + at, at, end);
      }
      at = end;
    }
  }
  return bytes;
}

function grown(bytes: Buffer, size: number): Buffer {
  return bytes.length >= size ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}
