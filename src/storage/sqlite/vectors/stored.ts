import type { VectorSpace } from '../../../search/vectors/ports.ts';
import { spaceKey, type FixedVector } from '../../../search/vectors/index.ts';
import type { Db } from '../database.ts';

export interface Generation {
  readonly generation: number;
  readonly space: VectorSpace;
  /** How its embedder is opened, as it was handed to `add`. */
  readonly source: string;
  readonly serving: boolean;
}

export interface Parked {
  readonly block: string;
  readonly reason: string;
}

/** A text's result on its way into the file. */
export interface Made {
  readonly hash: Buffer;
  readonly outcome: FixedVector | Parked;
}

/** Generations and vectors in vectors.sqlite. Every change is one transaction. */
export interface StoredVectors {
  generations(): readonly Generation[];
  /** The generation of that space, made when there is none. */
  add(space: VectorSpace, source: string): Generation;
  /** From now on this one serves and no other. */
  serve(generation: number): void;
  /** Drops the generation at once; its vectors go with `sweep`. */
  drop(generation: number): void;
  find(generation: number, hash: Buffer): (FixedVector & { readonly id: number }) | undefined;
  isParked(generation: number, hash: Buffer): boolean;
  parked(generation: number, limit: number): readonly Parked[];
  /** Those that ended the process stay, or it would end at every start. */
  unpark(generation: number): void;
  put(generation: number, made: readonly Made[]): void;
  count(generation: number): number;
  lastId(): number;
  /** Deletes some vectors that belong to no generation; false when none is left. */
  sweep(limit: number): boolean;
  remove(ids: readonly number[]): void;
  idsUpTo(generation: number, from: number, to: number, limit: number): readonly number[];
}

interface GenerationRow extends Omit<VectorSpace, 'semantic' | 'languages'> {
  readonly generation: number;
  readonly languages: string | null;
  readonly semantic: number;
  readonly source: string;
  readonly serving: number;
}

/** Why a text is left out that was asked alone when the process ended, twice. */
export const ENDED = 'the process ended twice while it was embedded';

interface InsertRow extends Omit<GenerationRow, 'generation' | 'serving'> {
  readonly space: string;
}

interface VectorRow {
  readonly vector_id: number;
  readonly unit: number;
  readonly numbers: Buffer;
}

export function storedVectors(db: Db): StoredVectors {
  const generations = db.prepare<[], GenerationRow>(
    'SELECT generation, model, revision, dim, semantic, languages, source, serving FROM generation ORDER BY generation',
  );
  const insert = db.prepare<[InsertRow]>(
    `INSERT INTO generation (space, model, revision, dim, semantic, languages, source, serving)
     VALUES (:space, :model, :revision, :dim, :semantic, :languages, :source, 0)
     ON CONFLICT (space) DO UPDATE SET source = excluded.source, languages = excluded.languages`,
  );
  const unserve = db.prepare('UPDATE generation SET serving = 0 WHERE serving = 1');
  const serve = db.prepare<[number]>('UPDATE generation SET serving = 1 WHERE generation = ?');
  const drop = db.prepare<[number]>('DELETE FROM generation WHERE generation = ?');
  const find = db.prepare<[number, Buffer], VectorRow>(
    'SELECT vector_id, unit, numbers FROM vector WHERE generation = ? AND text_hash = ?',
  );
  const isParked = db.prepare<[{ generation: number; hash: Buffer }], { one: 1 }>(
    `SELECT 1 AS one FROM parked WHERE generation = @generation AND text_hash = @hash
     UNION ALL SELECT 1 FROM asked WHERE generation = @generation AND text_hash = @hash AND alone >= 2`,
  );
  const parked = db.prepare<[{ generation: number; limit: number; ended: string }], Parked>(
    `SELECT block, reason FROM parked WHERE generation = @generation
     UNION ALL SELECT block, @ended FROM asked WHERE generation = @generation AND alone >= 2
     ORDER BY block LIMIT @limit`,
  );
  const unpark = db.prepare<[number]>('DELETE FROM parked WHERE generation = ?');
  const putVector = db.prepare<[number, Buffer, number, Buffer]>(
    'INSERT OR IGNORE INTO vector (generation, text_hash, unit, numbers) VALUES (?, ?, ?, ?)',
  );
  const park = db.prepare<[number, Buffer, string, string]>(
    'INSERT OR REPLACE INTO parked (generation, text_hash, block, reason) VALUES (?, ?, ?, ?)',
  );
  const count = db.prepare<[number], { vectors: number }>(
    'SELECT count(*) AS vectors FROM vector WHERE generation = ?',
  );
  const lastId = db.prepare<[], { id: number }>('SELECT coalesce(max(vector_id), 0) AS id FROM vector');
  const lost = db.prepare<[number]>(
    `DELETE FROM vector WHERE vector_id IN (
       SELECT v.vector_id FROM vector v WHERE v.generation NOT IN (SELECT generation FROM generation) LIMIT ?)`,
  );
  const lostParked = db.prepare('DELETE FROM parked WHERE generation NOT IN (SELECT generation FROM generation)');
  const lostAsked = db.prepare('DELETE FROM asked WHERE generation NOT IN (SELECT generation FROM generation)');
  const ids = db.prepare<[number, number, number, number], { id: number }>(
    `SELECT vector_id AS id FROM vector WHERE vector_id > ? AND vector_id <= ? AND generation = ? ORDER BY vector_id LIMIT ?`,
  );
  const remove = db.prepare<[number]>('DELETE FROM vector WHERE vector_id = ?');
  const all = (): Generation[] => generations.all().map(generationOf);

  return {
    generations: all,
    add(space, source) {
      const { model, revision, dim, semantic, languages } = space;
      insert.run({
        space: spaceKey(space),
        model,
        revision,
        dim,
        semantic: semantic ? 1 : 0,
        languages: languages ? JSON.stringify(languages) : null,
        source,
      });
      return all().find(one => spaceKey(one.space) === spaceKey(space))!;
    },
    serve: db.transaction((generation: number) => {
      unserve.run();
      serve.run(generation);
    }),
    drop: generation => void drop.run(generation),
    find(generation, hash) {
      const row = find.get(generation, hash);
      return row && { id: row.vector_id, unit: row.unit, values: numbersOf(row.numbers) };
    },
    isParked: (generation, hash) => isParked.get({ generation, hash }) !== undefined,
    parked: (generation, limit) => parked.all({ generation, limit, ended: ENDED }),
    unpark: generation => void unpark.run(generation),
    put: db.transaction((generation: number, made: readonly Made[]) => {
      for (const { hash, outcome } of made) {
        if ('reason' in outcome) park.run(generation, hash, outcome.block, outcome.reason);
        else putVector.run(generation, hash, outcome.unit, Buffer.from(outcome.values.buffer));
      }
    }),
    count: generation => count.get(generation)!.vectors,
    lastId: () => lastId.get()!.id,
    sweep(limit) {
      lostParked.run();
      lostAsked.run();
      return lost.run(limit).changes === limit;
    },
    remove: db.transaction((some: readonly number[]) => {
      for (const id of some) remove.run(id);
    }),
    idsUpTo: (generation, from, to, limit) => ids.all(from, to, generation, limit).map(row => row.id),
  };
}

const generationOf = (row: GenerationRow): Generation => ({
  generation: row.generation,
  space: {
    model: row.model,
    revision: row.revision,
    dim: row.dim,
    semantic: row.semantic === 1,
    ...(row.languages === null ? {} : { languages: JSON.parse(row.languages) as string[] }),
  },
  source: row.source,
  serving: row.serving === 1,
});

/** A copy: the bytes of a row may begin at an odd place. */
function numbersOf(bytes: Buffer): Int16Array {
  const numbers = new Int16Array(bytes.length / 2);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}
