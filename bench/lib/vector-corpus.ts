import { unitVector } from '../../src/search/vectors/index.ts';

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Vectors as models make them: some hundred topics, each text somewhere about one, all on one side of the origin. */
export function topicVectors(count: number, dim: number, random: () => number): Float32Array[] {
  const bell = (): number => random() + random() + random() - 1.5;
  const vector = (): number[] => Array.from({ length: dim }, bell);
  const common = vector();
  const topics = Array.from({ length: 300 }, vector);
  return Array.from({ length: count }, () => {
    const topic = topics[Math.floor(random() * topics.length)]!;
    return unitVector(
      topic.map((value, at) => value + common[at]! + 0.8 * bell()),
      dim,
    )!;
  });
}

/** A question near a vector. */
export function nearTo(vector: Float32Array, random: () => number): Float32Array {
  return unitVector(
    vector.map(value => value + 0.03 * (random() - 0.5)),
    vector.length,
  )!;
}
