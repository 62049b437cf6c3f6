import type { Job } from '../domain/machine/job.ts';

/** A job that was taken and is being worked on. */
export interface TakenJob {
  name: string;
  job: Job;
  /** How often it has failed before. */
  tries: number;
}

/** A job that failed too often. `job` is null when the file held none. */
export interface FailedJob {
  name: string;
  job: Job | null;
  reason: string;
  tries: number;
  /** ISO 8601 UTC. */
  failedAt: string;
}

export interface SpoolCounts {
  /** Waiting, those included that wait for another try. */
  waiting: number;
  delayed: number;
  failed: number;
}

/**
 * Jobs that hooks have left: at most one for each transcript.
 *
 * - `add` may be called by anyone at any time, the hook of every session included; all else by the one worker.
 * - A job that comes in for a transcript that is being worked on is kept: it is another job.
 * - What is no job is put aside, and never stops the others.
 * - A job that fails waits, longer each time; after five tries it is put aside. A later job for the same
 *   transcript gets one try: what it says has changed since.
 */
export interface JobSpool {
  add(job: Job): void;
  /** The newest job that is due, or null. */
  take(): TakenJob | null;
  finish(taken: TakenJob): void;
  /** Counts a try; says when it is tried again, or that it was put aside. */
  fail(taken: TakenJob, reason: string): { retryInMs: number } | 'put aside';
  /** Puts a job back as if it had not been taken. */
  giveBack(taken: TakenJob): void;
  /** Puts back what a worker that died was working on, which counts as a try; returns how many. */
  recover(): number;
  hasDue(): boolean;
  /** Milliseconds until a job that waits for another try is due; null when there is none. */
  nextRetryInMs(): number | null;
  counts(): SpoolCounts;
  failed(): FailedJob[];
  /** Calls back when a job comes in, until the returned function is called. */
  onArrival(listener: () => void): () => void;
  close(): void;
}

/** What the worker says of itself. Times are ISO 8601 UTC. */
export interface WorkerRecord {
  /** Null once it has ended. */
  pid: number | null;
  since: string;
  state: 'working' | 'embedding' | 'paused' | 'idle' | 'ended';
  lastJob: { sessionId: string | null; path: string | null; at: string; ms: number } | null;
  lastError: { message: string; at: string } | null;
  /** Since it started. */
  jobs: number;
  embedded: number;
  /** When token streams of sessions that grew were last brought up to date. */
  refreshedAt: string | null;
  /** When the server was last asked for texts of other machines that have no vector, and had none. */
  helpedAt: string | null;
}

/**
 * Where the worker's record is kept, for hooks (is there one?) and for people (what is it doing?). It outlives the worker.
 * `read` answers null for none and for one that cannot be read.
 */
export interface WorkerRecords {
  read(): WorkerRecord | null;
  write(record: WorkerRecord): void;
  /** Takes away the note of the hook that started a worker. */
  started(): void;
}
