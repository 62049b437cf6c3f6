import type { Job } from '../domain/machine/job.ts';

export interface TakenJob {
  name: string;
  job: Job;
  /** How often it has failed so far. */
  tries: number;
}

/** A job that failed too often. `job` is null when the file is not a job. */
export interface FailedJob {
  name: string;
  job: Job | null;
  reason: string;
  tries: number;
  /** ISO 8601 UTC. */
  failedAt: string;
}

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

/** What the worker reports about itself. Times are ISO 8601 UTC. */
export interface WorkerRecord {
  /** Null once it has ended. */
  pid: number | null;
  since: string;
  state: 'working' | 'embedding' | 'paused' | 'idle' | 'ended';
  lastJob: { sessionId: string | null; path: string | null; at: string; ms: number } | null;
  lastError: { message: string; at: string } | null;
  /** Since the worker started. */
  jobs: number;
  embedded: number;
  /** Transcripts that were found to have changed and are not indexed yet. Records of earlier versions lack it. */
  left?: number;
  /** When the token streams of sessions that grew were last refreshed. */
  refreshedAt: string | null;
  /** When the worker last found no text of another machine to embed. */
  helpedAt: string | null;
}

/** The worker's record, which outlives it. Hooks read it to see whether a worker is running; `status` prints it. */
export interface WorkerRecords {
  /** Null if missing or unreadable. */
  read(): WorkerRecord | null;
  write(record: WorkerRecord): void;
  /** Removes the marker of the hook that started a worker. */
  started(): void;
}
