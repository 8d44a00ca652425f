import type { Embedder } from '../../src/search/vectors/ports.ts';
import { hashEmbedder } from '../../src/storage/models/hash.ts';

/** Pages; one of them says what no embedder can take, and every tenth says what the one before says. */
export const COUNT = 300;
const POISONED = 33;
export const POISON = 'unpronounceable';

export const sayingOf = (page: number): string =>
  page === POISONED ? POISON : `Pumpe ${(page % 10 === 9 ? page - 1 : page) * 7919} läuft.`;

/** Spelling, under the name of a model; vectors of every other one point the other way. */
export function embedderOf(model: number): Embedder {
  const hash = hashEmbedder();
  const turned = (vector: Float32Array): Float32Array => (model % 2 === 0 ? vector : vector.map(value => -value));
  return {
    ...hash,
    space: { ...hash.space, model: `model ${model}` },
    embedQuery: async text => turned(await hash.embedQuery(text)),
    async embedTexts(texts, signal) {
      const made = await hash.embedTexts(texts, signal);
      return made.map((one, at) => {
        if (texts[at]!.includes(POISON)) return { poison: POISON };
        return 'vector' in one ? { vector: turned(one.vector) } : one;
      });
    },
  };
}
