/** A vector of length 1 in 16 bits a number: number i is `values[i] * unit`. Exact to a hundred-thousandth of its largest. */
export interface FixedVector {
  readonly values: Int16Array;
  readonly unit: number;
}

/** The largest value, such that its upper byte, rounded, still fits a byte. */
const LARGEST = 127 * 256;

export function fixedVector(vector: Float32Array): FixedVector {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const unit = Math.fround((largest || 1) / LARGEST);
  const values = new Int16Array(vector.length);
  for (let i = 0; i < vector.length; i++)
    values[i] = Math.max(-LARGEST, Math.min(LARGEST, Math.round(vector[i]! / unit)));
  return { values, unit };
}
