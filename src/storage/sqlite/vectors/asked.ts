import type { Db } from '../database.ts';

/** A text by its hash, and a block that says it. */
export interface AskedText {
  readonly hash: Buffer;
  readonly block: string;
}

/** Texts that a model in this process is being asked for: where the process ends with it, the file still says for which. */
export interface AskedTexts {
  /** Before they are asked; it holds when the process ends. */
  begin(generation: number, texts: readonly AskedText[]): void;
  /** The process lives on, whatever the answer was. */
  end(generation: number, texts: readonly AskedText[]): void;
  /** Hashes of texts that were being asked when a process ended, those that are left out for it not among them. */
  left(generation: number): readonly Buffer[];
  /** Blocks of those that are left out. */
  leftOut(generation: number): readonly string[];
}

export function askedTexts(db: Db): AskedTexts {
  const mark = db.prepare<[number, Buffer, string, number]>(
    `INSERT INTO asked (generation, text_hash, block, alone) VALUES (?, ?, ?, ?)
     ON CONFLICT (generation, text_hash) DO UPDATE SET alone = alone + excluded.alone`,
  );
  const clear = db.prepare<[number, Buffer]>('DELETE FROM asked WHERE generation = ? AND text_hash = ?');
  const left = db
    .prepare<[number], Buffer>(
      `SELECT text_hash FROM asked a WHERE generation = ? AND alone < 2 AND NOT EXISTS (
         SELECT 1 FROM vector v WHERE v.generation = a.generation AND v.text_hash = a.text_hash)`,
    )
    .pluck();
  const leftOut = db
    .prepare<[number], string>('SELECT block FROM asked WHERE generation = ? AND alone >= 2 ORDER BY block')
    .pluck();
  return {
    begin: db.transaction((generation: number, texts: readonly AskedText[]) => {
      for (const { hash, block } of texts) mark.run(generation, hash, block, texts.length === 1 ? 1 : 0);
    }),
    end: db.transaction((generation: number, texts: readonly AskedText[]) => {
      for (const { hash } of texts) clear.run(generation, hash);
    }),
    left: generation => left.all(generation),
    leftOut: generation => leftOut.all(generation),
  };
}
