import { countUsage as count } from '../../usage/count-usage.ts';
import type { Task, TaskContext } from '../task.ts';

/** Checking all transcripts is too expensive after every turn. */
const COUNT_EVERY_MS = 600_000;

/** Counts the usage of sessions before agents delete their transcripts. */
export function countUsage({ opened, now, log }: TaskContext): Task {
  let isStale = false;
  let countedAt = 0;
  return {
    isDue: () => isStale && Math.abs(now() - countedAt) >= COUNT_EVERY_MS,
    async run(signal) {
      const files = await count(opened.index, signal);
      if (signal.aborted) return true;
      isStale = false;
      countedAt = now();
      if (files > 0) log.info('counted usage', { files });
      return files > 0;
    },
    notice(event) {
      if (event.kind === 'indexed' || event.kind === 'looked') isStale = true;
    },
  };
}
