/** Runs `work` for every item with limited concurrency. After a failure it waits for running work, then rejects. */
export async function forEachParallel<T>(
  items: T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const lane = async () => {
    for (const item of waiting) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane));
  for (const one of lanes) if (one.status === 'rejected') throw one.reason;
}
