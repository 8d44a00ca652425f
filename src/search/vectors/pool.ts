/**
 * Vectors of texts from the last layer of a model: `states` is [texts, length, width], `mask` [texts, length] with 1 for real
 * tokens. Mean: over real tokens; CLS: the first token. These functions are handed to threads as text and use nothing else.
 */
export function meanPool(states: Float32Array, mask: BigInt64Array, texts: number, width: number): Float32Array[] {
  const length = mask.length / texts;
  return Array.from({ length: texts }, (_, text) => {
    const vector = new Float32Array(width);
    let tokens = 0;
    for (let at = 0; at < length; at++) {
      if (mask[text * length + at] !== 1n) continue;
      tokens += 1;
      const from = (text * length + at) * width;
      for (let i = 0; i < width; i++) vector[i]! += states[from + i]!;
    }
    for (let i = 0; i < width; i++) vector[i]! /= Math.max(1, tokens);
    return vector;
  });
}

/** See `meanPool`. */
export function clsPool(states: Float32Array, mask: BigInt64Array, texts: number, width: number): Float32Array[] {
  const length = mask.length / texts;
  return Array.from({ length: texts }, (_, text) => states.slice(text * length * width, text * length * width + width));
}

/**
 * The first `dim` numbers of a vector (Matryoshka), brought to length 1; null when there are fewer, or no length to speak of,
 * or numbers that are none.
 */
export function unitVector(vector: ArrayLike<number>, dim: number): Float32Array | null {
  if (vector.length < dim) return null;
  const cut = new Float32Array(dim);
  let squares = 0;
  for (let i = 0; i < dim; i++) {
    const value = vector[i]!;
    cut[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (!(length > 1e-12) || !Number.isFinite(length)) return null;
  for (let i = 0; i < dim; i++) cut[i]! /= length;
  return cut;
}
