/** The share of the files of two sessions that both changed, 0 to 1; null if neither changed any. */
export function shareOfFiles(one: string[], other: string[]): number | null {
  const all = new Set([...one, ...other]);
  if (all.size === 0) return null;
  const both = new Set(other);
  return one.filter((file) => both.has(file)).length / all.size;
}
