/**
 * Groups texts by length, longest first, so that little is padded. A group costs `count x longest` tokens, and
 * no group of more than one text costs more than `budget`. Returns the texts' indexes.
 */
export function planBatches(lengths: number[], budget: number): number[][] {
  const order = lengths.map((_, index) => index).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    const longest = lengths[batch[0] ?? index] ?? 0;
    if (batch.length > 0 && (batch.length + 1) * longest > budget) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
