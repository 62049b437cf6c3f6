/** Cosine of two unit vectors; one that is missing is like nothing. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return Number.NaN;
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

export function length(vector: Float32Array): number {
  return Math.sqrt(cosine(vector, vector));
}
