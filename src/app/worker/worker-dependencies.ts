import type { Embedder, Embedding } from '../../ports/embedder.ts';
import type { JobSpool, WorkerRecord, WorkerRecords } from '../../ports/job-spool.ts';
import type { Lease } from '../../ports/lease.ts';
import type { Log, LogFields, WatchTranscripts } from '../../ports/machine.ts';
import type { ArchiveDependencies } from '../archive/archive-transcripts.ts';
import type { RecentDependencies } from '../extractor/read-recent-sessions.ts';
import type { EmbedOptions } from '../index/embed-pending.ts';
import type { IndexDependencies } from '../index/index-transcripts.ts';
import type { DrainReport } from '../share/send/drain-outbox.ts';

export interface WorkerDependencies {
  lease: Lease;
  spool: JobSpool;
  records: WorkerRecords;
  log: Log;
  /** Called once this process holds the lease, and again when the store was replaced. */
  open(): Promise<WorkerIndex>;
  /** Whether the machine runs on battery; false where that is unknown. */
  onBattery(): boolean;
  watch: WatchTranscripts;
  pid: number;
  now(): number;
}

/** One run of the worker, while it holds the lease. */
export interface Shift extends WorkerDependencies {
  request: WorkerRequest;
  presence: Presence;
  /** Aborted when the worker must stop. */
  signal: AbortSignal;
}

/** The worker's record of itself: hooks check in it whether a worker runs, `status` prints what it does. */
export interface Presence {
  record: WorkerRecord;
  /** Records that this worker runs. */
  beat(): void;
  /** Records that it has ended. */
  leave(): void;
  /** Logs a failure that does not stop the worker, and shows it in `status`. */
  fail(what: string, reason: string, fields?: LogFields): void;
}

/** The open store, and everything that works on it. */
export interface WorkerIndex {
  index: IndexDependencies;
  archiving: ArchiveDependencies;
  embedding: Pick<Embedding, 'state' | 'embedder'>;
  /** Whether another process emptied or replaced the store, or the settings changed. */
  isReplaced(): Promise<boolean>;
  /** Absent unless the user has turned on a model that reads sessions. */
  extractor?: RecentDependencies;
  /** Absent without a server. */
  server?: WorkerServer;
  close(): Promise<void>;
}

export interface WorkerServer {
  /** Whether something may be sent now; with `transcripts`, also transcripts of sessions that are not idle yet. */
  isDue(transcripts: boolean): boolean;
  /** When the first deferred transcript is due, in milliseconds since the epoch; null when none is deferred. */
  nextTranscriptAt(): number | null;
  /** Sends what is pending; null while another process is sending. Reports the server's failures, never throws them. */
  send(signal: AbortSignal, transcripts: boolean): Promise<DrainReport | null>;
  /** Embeds what other machines sent without vectors; absent unless the user wants that. Returns how many texts. */
  embed?(embedder: Embedder, options: EmbedOptions): Promise<number>;
}

export interface WorkerRequest {
  /** `idle`: ends when there was nothing to do for a while; `drain`: as soon as there is nothing to do; `follow`: never. */
  until: 'idle' | 'drain' | 'follow';
  idleMs: number;
  /** Watches the agents' folders, for users without hooks. Only with `follow`. */
  watch: boolean;
  signal: AbortSignal;
}
