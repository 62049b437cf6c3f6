/** One line of the table. */
export interface Row {
  what: string;
  measured: Quantity;
  /** What the same machine needs, in the same run, for the least that must be done. */
  floor: Quantity | null;
  /** The mark: at most (or at least) so much, of the ratio to the floor or of what was measured itself. */
  target: Target | null;
}

export interface Quantity {
  value: number;
  unit: 'ms' | 'MB' | 'kB' | 'tokens/s' | 'requests' | 'points' | '%' | 'apart';
  /** Of what, where that isn't clear: `p95`, `node -e 0`. */
  label?: string;
}

export interface Target {
  of: 'ratio' | 'measured';
  most?: number;
  least?: number;
}

/** A measurement that is run in a process of its own. */
export interface Bench {
  name: string;
  describe: string;
  /** Only run when it is named, or with --large. */
  large?: boolean;
  /** Rows, or why it cannot be run here. */
  run(context: BenchContext): Promise<Row[] | string>;
}

export interface BenchContext {
  /** A folder for stores, kept between runs when the user named one. */
  work: string;
  /** An empty folder of this bench's own, deleted afterwards. */
  scratch: string;
  /** Folders with projects/ and sessions/ in them; null where there is none. */
  claudeHome: string | null;
  codexHome: string | null;
  queries: string | null;
  model: string | null;
}

export function ratioOf({ measured, floor }: Row): number | null {
  return floor === null ? null : measured.value / floor.value;
}

/** Whether the mark is met; null where there is none. */
export function isMet(row: Row): boolean | null {
  if (row.target === null) return null;
  const { of, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = row.target;
  const value = of === 'measured' ? row.measured.value : ratioOf(row);
  return value !== null && value <= most && value >= least;
}
