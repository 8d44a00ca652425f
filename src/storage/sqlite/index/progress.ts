import type { Db } from '../database.ts';

export interface Progress {
  build: string;
  applied_seq: number;
  applied_sha: string;
  fill_from: number;
  fill_to: number;
  fill_hides: number;
  blocks: number;
}

/** The one row that says how far the index is; `save` belongs into the transaction that changed it. */
export function progressRow(db: Db): { read(): Progress; save(progress: Progress): void } {
  const select = db.prepare<[], Progress>(
    'SELECT build, applied_seq, applied_sha, fill_from, fill_to, fill_hides, blocks FROM progress WHERE id = 1',
  );
  const update = db.prepare<[Progress]>(
    `UPDATE progress SET build = :build, applied_seq = :applied_seq, applied_sha = :applied_sha, fill_from = :fill_from, fill_to = :fill_to,
       fill_hides = :fill_hides, blocks = :blocks WHERE id = 1`,
  );
  return { read: () => select.get()!, save: progress => void update.run(progress) };
}
