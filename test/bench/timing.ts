import { quantile } from '../eval/metrics.ts';

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: number[], share: number): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** Milliseconds that something takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Medians of two things that are run in turns, so that a busy spell of the machine falls on both. The first turn warms
 * up disks and caches and doesn't count.
 */
export async function alternate(
  turns: number,
  subject: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ subject: number; floor: number }> {
  const times: { subject: number[]; floor: number[] } = { subject: [], floor: [] };
  for (let turn = 0; turn <= turns; turn += 1) {
    const floorMs = await floor();
    const subjectMs = await subject();
    if (turn === 0) continue;
    times.floor.push(floorMs);
    times.subject.push(subjectMs);
  }
  return { subject: median(times.subject), floor: median(times.floor) };
}
