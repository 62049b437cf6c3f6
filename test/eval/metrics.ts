/** The quality of a ranking by the rank of the right answer per query (from 1; null: not found). */
export function hitRate(ranks: (number | null)[], within: number): number {
  return mean(ranks.map((rank) => (rank !== null && rank <= within ? 1 : 0)));
}

/** Mean reciprocal rank; a missing answer counts as 0. */
export function meanReciprocalRank(ranks: (number | null)[]): number {
  return mean(ranks.map((rank) => (rank === null ? 0 : 1 / rank)));
}

/** The rank of the first of several right answers, or null. */
export function rankOfFirst(found: string[], right: string[]): number | null {
  const at = found.findIndex((id) => right.includes(id));
  return at < 0 ? null : at + 1;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

const RESAMPLES = 2000;

/** A statistic with its 95 % interval, by the percentile bootstrap. The same items and seed give the same interval. */
export function bootstrap<T>(items: T[], statistic: (sample: T[]) => number, seed = 1): Interval {
  const random = randomNumbers(seed);
  const values = Array.from({ length: RESAMPLES }, () => statistic(resample(items, random))).sort(
    (a, b) => a - b,
  );
  return { value: statistic(items), low: quantile(values, 0.025), high: quantile(values, 0.975) };
}

/** A forecast and its outcome. */
export interface Outcome {
  probability: number;
  right: boolean;
}

/** The probability that a right case has a higher forecast than a wrong one; ties count half. NaN without both. */
export function areaUnderCurve(outcomes: Outcome[]): number {
  const right = outcomes.filter((one) => one.right);
  const wrong = outcomes.filter((one) => !one.right);
  const wins = right.flatMap((one) =>
    wrong.map((other) => (Math.sign(one.probability - other.probability) + 1) / 2),
  );
  return mean(wins);
}

/** Mean squared difference between probability and outcome. */
export function brierScore(outcomes: Outcome[]): number {
  return mean(outcomes.map(({ probability, right }) => (probability - (right ? 1 : 0)) ** 2));
}

/** Expected calibration error over ten bins: the weighted difference between mean forecast and share of right cases. */
export function calibrationError(outcomes: Outcome[], bins = 10): number {
  const errors = Array.from({ length: bins }, (_, bin) => {
    const inside = outcomes.filter(
      ({ probability }) => Math.min(bins - 1, Math.floor(probability * bins)) === bin,
    );
    if (inside.length === 0) return 0;
    const forecast = mean(inside.map(({ probability }) => probability));
    return Math.abs(forecast - mean(inside.map(({ right }) => (right ? 1 : 0)))) * inside.length;
  });
  return errors.reduce((sum, error) => sum + error, 0) / outcomes.length;
}

/** NaN if there are none. */
export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The quantile of sorted values, interpolated between neighbours. */
export function quantile(sorted: number[], share: number): number {
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function resample<T>(items: T[], random: () => number): T[] {
  const sample: T[] = [];
  for (let i = 0; i < items.length; i += 1) {
    const item = items[Math.floor(random() * items.length)];
    if (item !== undefined) sample.push(item);
  }
  return sample;
}
