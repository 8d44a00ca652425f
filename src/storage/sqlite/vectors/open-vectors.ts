import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Db } from '../database.ts';
import { openVectorsFile } from './vectors-file.ts';
import type { Coarse } from './candidates.ts';
import { openVectors, type OpenEmbedder, type Vectors } from './vectors.ts';

export interface VectorOptions {
  readonly open: OpenEmbedder;
  /** A first look at the leading numbers alone (N051-N053). */
  readonly coarse?: Coarse | undefined;
  /** See VectorsParts. */
  readonly threadsFrom?: number | undefined;
  /** See VectorsParts. */
  readonly lazy?: boolean | undefined;
  /** So many blocks got a vector. */
  readonly onEmbedded?: ((count: number) => void) | undefined;
}

export interface VectorsBesideParts {
  /** Of vectors.sqlite. */
  readonly path: string;
  /** The writing connection of index.sqlite. */
  readonly index: Db;
  readonly ready: () => Promise<void>;
  readonly onWritten: (db: Db) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The vector lane of an index; without options it wants no vectors. To be stopped before the index and closed after. */
export function vectorsBeside(
  options: VectorOptions | undefined,
  parts: VectorsBesideParts,
): Vectors & { close(): void } {
  const { path, index, ready, onWritten, clock, log } = parts;
  const db = openVectorsFile(path, log);
  const vectors = openVectors({
    ...(options ?? { open: async () => null }),
    db,
    index,
    ready,
    onWritten: () => onWritten(db),
    clock,
    log,
  });
  watchPages(index, vectors.changed);
  return { ...vectors, close: () => void db.close() };
}

/** Whatever writes a page's rows writes its row in `page`, so triggers of this connection alone hear of everything. */
function watchPages(index: Db, changed: (page: number) => void): void {
  index.function('page_changed', { directOnly: false }, (page: unknown) => {
    changed(Number(page));
    return null;
  });
  for (const [event, row] of [
    ['INSERT', 'new'],
    ['UPDATE', 'new'],
    ['DELETE', 'old'],
  ] as const) {
    index.exec(`CREATE TEMP TRIGGER page_${event.toLowerCase()}_heard AFTER ${event} ON main.page
      BEGIN SELECT page_changed(${row}.page_no); END`);
  }
}
