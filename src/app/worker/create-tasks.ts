import { runUntilArrival } from './run-until-arrival.ts';
import type { Task, TaskContext, WorkerEvent } from './task.ts';
import { archiveTask } from './tasks/archive.ts';
import { countUsage } from './tasks/count-usage.ts';
import { embedTasks } from './tasks/embed.ts';
import { lookForChanges } from './tasks/look-for-changes.ts';
import { readWithModel } from './tasks/read-with-model.ts';
import { refreshTokens } from './tasks/refresh-tokens.ts';
import { serverTasks } from './tasks/send.ts';
import { takeJobs } from './tasks/take-jobs.ts';
import type { Shift, WorkerIndex } from './worker-dependencies.ts';

export interface Tasks {
  /** Runs the most urgent task that has something to do; false if none has. */
  doNext(): Promise<boolean>;
  /** Looks for changed transcripts and indexes some; false if there are none. */
  lookAgain(): Promise<boolean>;
  /** How much longer an idle worker should stay, in milliseconds. */
  stayMs(): number;
  end(): Promise<void>;
}

export function createTasks(shift: Shift, opened: WorkerIndex): Tasks {
  const tell = (event: WorkerEvent) => {
    for (const task of tasks) task.notice?.(event);
  };
  const context: TaskContext = { ...shift, opened, tell };
  const { automatic } = opened;
  const jobs = takeJobs(context);
  const look = lookForChanges(context);
  const { send, awaitSent } = serverTasks(context);
  const { embedHere, embedForOthers } = embedTasks(context);
  /** In order of urgency, after jobs. A new job interrupts them. */
  const tasks: Task[] = [
    look,
    refreshTokens(context),
    send,
    ...(automatic ? [archiveTask(context), countUsage(context)] : []),
    embedHere,
    awaitSent,
    embedForOthers,
    ...(automatic ? [readWithModel(context)] : []),
  ];
  const run = (task: Task) =>
    runUntilArrival(shift.spool, shift.signal, async (signal) => (await task.run(signal)) || signal.aborted);
  return {
    async doNext() {
      if (await jobs.run(shift.signal)) return true;
      for (const task of tasks) if (task.isDue() && (await run(task))) return true;
      return false;
    },
    async lookAgain() {
      if (!automatic) return false;
      tell({ kind: 'anything changed' });
      return run(look);
    },
    stayMs: () => Math.max(0, ...tasks.map((task) => task.stayMs?.() ?? 0)),
    async end() {
      for (const task of tasks) await task.end?.();
    },
  };
}
