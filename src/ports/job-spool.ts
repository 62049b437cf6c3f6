import type * as z from 'zod';
import type { failedJob } from '../domain/json/state.ts';
import type { workerRecord } from '../domain/json/worker-record.ts';
import type { Job } from '../domain/machine/job.ts';

export interface TakenJob {
  name: string;
  job: Job;
  /** How often it has failed so far. */
  tries: number;
}

export type FailedJob = z.infer<typeof failedJob>;

export interface SpoolCounts {
  /** Includes the delayed ones. */
  waiting: number;
  /** Waiting for another try. */
  delayed: number;
  failed: number;
}

/**
 * Jobs left by hooks: at most one for each transcript.
 *
 * - Any process may call `add` at any time; only the worker calls the rest.
 * - A job added while its transcript is being indexed is a separate job.
 * - A file that is not a job is set aside and does not hold up the others.
 * - A failed job is retried, later each time; after five tries it is set aside. A later job for the same transcript gets
 *   one try, because the transcript has changed since.
 */
export interface JobSpool {
  add(job: Job): void;
  /** Takes the newest job that is due; null when there is none. */
  take(): TakenJob | null;
  finish(taken: TakenJob): void;
  /** Counts a try. */
  fail(taken: TakenJob, reason: string): { retryInMs: number } | 'put aside';
  /** Puts a job back without counting a try. */
  giveBack(taken: TakenJob): void;
  /** Puts back the jobs of a worker that died, which counts as a try; returns how many. */
  recover(): number;
  hasDue(): boolean;
  /** Milliseconds until the next delayed job is due; null when there is none. */
  nextRetryInMs(): number | null;
  counts(): SpoolCounts;
  failed(): FailedJob[];
  /** Calls back when a job arrives, until the returned function is called. */
  onArrival(listener: () => void): () => void;
  close(): void;
}

/** What the worker reports about itself. */
export type WorkerRecord = z.infer<typeof workerRecord>;

/** The worker's record, which outlives it. Hooks read it to see whether a worker is running; `status` prints it. */
export interface WorkerRecords {
  /** Null if missing or unreadable. */
  read(): WorkerRecord | null;
  write(record: WorkerRecord): void;
  /** Removes the marker of the hook that started a worker. */
  started(): void;
}
