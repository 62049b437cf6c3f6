/** Versions look like `2.1.329`. */
export function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number));
  for (const [place, number] of (other ?? []).entries()) {
    const difference = (own?.[place] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
