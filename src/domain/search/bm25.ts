/** The constants used by FTS5. */
const K1 = 1.2;
const B = 0.75;

/** The length term of the denominator: k1 (1 - b + b length / average). */
export function lengthBase(length: number, average: number): number {
  return K1 * (1 - B + (B * length) / Math.max(1, average));
}

/** BM25 without the inverse document frequency: f (k1 + 1) / (f + base). */
export function termWeight(count: number, base: number): number {
  return (count * (K1 + 1)) / (count + base);
}
