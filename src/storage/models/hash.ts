import { setImmediate as turn } from 'node:timers/promises';
import { HASHED_DIM, HASHED_REVISION, hashedVector } from '../../search/vectors/index.ts';
import type { Embedded, Embedder } from '../../search/vectors/ports.ts';

/** A few tenths of a millisecond. */
const TEXTS_A_TURN = 32;

/** Vectors from spelling alone, made here and now: no model, no thread, no network. It is never called semantic. */
export function hashEmbedder(): Embedder {
  return {
    space: { model: 'hash', revision: HASHED_REVISION, dim: HASHED_DIM, semantic: false },
    embedQuery: async text => vectorOf(text),
    async embedTexts(texts, signal) {
      const made: Embedded[] = [];
      for (const [at, text] of texts.entries()) {
        if (at > 0 && at % TEXTS_A_TURN === 0) await turn();
        signal?.throwIfAborted();
        made.push({ vector: vectorOf(text) });
      }
      return made;
    },
    close: async () => undefined,
  };
}

/** Text without a letter or digit is like no other text. */
function vectorOf(text: string): Float32Array {
  return hashedVector(text) ?? Float32Array.from({ length: HASHED_DIM }, (_, at) => (at === 0 ? 1 : 0));
}
