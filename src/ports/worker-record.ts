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
