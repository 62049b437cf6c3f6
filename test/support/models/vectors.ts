/** Cosine of two unit vectors; 0 if one is missing. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return Number.NaN;
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

export function length(vector: Float32Array): number {
  return Math.sqrt(cosine(vector, vector));
}
