/**
 * Vectors are stored with 8 bits per number, in units of the largest: a quarter of the size. Their length is lost, which no cosine needs.
 * Null for a vector that has no direction.
 */
export function toStoredVector(vector: Float32Array): Uint8Array | null {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0) || !vector.every(Number.isFinite)) return null;
  const numbers = Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
  return new Uint8Array(numbers.buffer);
}

/** The stored vector, of length 1. */
export function fromStoredVector(bytes: Uint8Array): Float32Array {
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(numbers, (value) => value / length);
}
