import { fixedVector } from '../../../search/vectors/index.ts';
import type { VectorSpace } from '../../../search/vectors/ports.ts';
import { matrix } from '../vectors/matrix.ts';
import type { Db } from './connect.ts';
import { statusesBySeq } from './rule-statuses.ts';

export interface NearRule {
  readonly seq: number;
  /** Cosine. */
  readonly score: number;
}

/** The vectors of one space of a scope, as `vec_rule` has them. */
export interface VectorsInMemory {
  /** A vector that was stored. */
  put(seq: number, vector: Float32Array): void;
  /** Rules of those statuses by cosine, best first, ties by number. `question` has length 1. */
  nearest(question: Float32Array, statuses: readonly string[], limit: number): NearRule[];
}

/** As many more are compared in full: in memory a vector has 16 bits a number. */
const SPARE = 50;

/** Reads the vectors of a space from the file. */
export function vectorsInMemory(db: Db, { model, revision, dim }: VectorSpace): VectorsInMemory {
  const space = { model, revision, dim };
  const vectors = matrix(dim);
  const rowOf = new Map<number, number>();
  const statuses = statusesBySeq(db);
  const stored = db
    .prepare<[{ seq: number; model: string; revision: string; dim: number }], Buffer>(`
      SELECT vector FROM vec_rule WHERE seq = @seq AND model = @model AND revision = @revision AND dim = @dim`)
    .pluck();

  function put(seq: number, vector: Float32Array): void {
    const row = rowOf.get(seq);
    if (row !== undefined) vectors.remove(row);
    rowOf.set(seq, vectors.add(seq, 0, fixedVector(vector)));
  }
  const all = db.prepare<[typeof space], { seq: number; vector: Buffer }>(`
    SELECT seq, vector FROM vec_rule WHERE model = @model AND revision = @revision AND dim = @dim`);
  for (const { seq, vector } of all.iterate(space)) put(seq, numbersOf(vector));

  return {
    put,
    nearest(question, wanted, limit) {
      const near = vectors.nearest({ query: question, pages: statuses.flags(wanted), limit: limit + SPARE });
      return near
        .map(({ page: seq }) => ({ seq, score: cosine(question, numbersOf(stored.get({ seq, ...space })!)) }))
        .toSorted((a, b) => b.score - a.score || a.seq - b.seq)
        .slice(0, limit);
    },
  };
}

function numbersOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset, length } = bytes;
  return byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, length / 4)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + length));
}

/** Both have length 1. */
function cosine(question: Float32Array, values: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < question.length; at++) sum += question[at]! * values[at]!;
  return sum;
}
