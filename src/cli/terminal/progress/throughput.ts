const WINDOW_MS = 10_000;
const SAMPLE_MS = 100;
const SETTLED_MS = 1000;

export interface Throughput {
  /** Records the total `done` at `now`, in milliseconds. */
  add(done: number, now: number): void;
  /** Rate over the last ten seconds. Null in the first second and during a stall. */
  perSecond(): number | null;
}

export function createThroughput(): Throughput {
  const samples: { done: number; at: number }[] = [];
  let last = { done: 0, at: 0 };
  return {
    add(done, now) {
      if (done < last.done) samples.length = 0;
      last = { done, at: now };
      const newest = samples.at(-1);
      if (!newest || now - newest.at >= SAMPLE_MS) samples.push(last);
      while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    },
    perSecond() {
      const first = samples[0];
      if (!first || last.at - first.at < SETTLED_MS || last.done <= first.done) return null;
      return ((last.done - first.done) / (last.at - first.at)) * 1000;
    },
  };
}
