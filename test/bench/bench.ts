/** A row of the results table. */
export interface Row {
  what: string;
  measured: Quantity;
  /** The floor: the time of the least possible work on the same machine in the same run. */
  floor: Quantity | null;
  /** The target: an upper (or lower) limit for the ratio to the floor, or for the measured value itself. */
  target: Target | null;
}

export interface Quantity {
  value: number;
  unit:
    | 'ms'
    | 'MB'
    | 'GB'
    | 's'
    | 'messages/s'
    | 'kB'
    | 'tokens'
    | 'tokens/s'
    | '/s'
    | 'requests'
    | 'round trips'
    | 'points'
    | '%'
    | 'apart'
    | 'of 1';
  /** The statistic or floor, if not obvious: `p95`, `node -e 0`. */
  label?: string;
}

export interface Target {
  of: 'ratio' | 'measured';
  most?: number;
  least?: number;
}

/** A measurement that runs in its own process. */
export interface Bench {
  name: string;
  describe: string;
  /** Runs only if named, or with --large. */
  large?: boolean;
  /** Rows, or the reason why it cannot run here. */
  run(context: BenchContext): Promise<Row[] | string>;
}

export interface BenchContext {
  /** A folder for stores; it survives the run if the user named it. */
  work: string;
  /** An empty folder for this bench, deleted afterwards. */
  scratch: string;
  /** Folders that contain projects/ and sessions/; null if there are none. */
  claudeHome: string | null;
  codexHome: string | null;
  queries: string | null;
  model: string | null;
}

export function ratioOf({ measured, floor }: Row): number | null {
  return floor === null ? null : measured.value / floor.value;
}

/** Whether the target is met; null without one. */
export function isMet(row: Row): boolean | null {
  if (row.target === null) return null;
  const { of, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = row.target;
  const value = of === 'measured' ? row.measured.value : ratioOf(row);
  return value !== null && value <= most && value >= least;
}
