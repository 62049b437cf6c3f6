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
  /** Called once this process holds the lease, and again when the store has been replaced. */
  open(): Promise<WorkerIndex>;
  /** Whether the machine is on battery; false if unknown. */
  onBattery(): boolean;
  watch: WatchTranscripts;
  pid: number;
  now(): number;
}

/** A run of the worker while it holds the lease. */
export interface Shift extends WorkerDependencies {
  request: WorkerRequest;
  presence: Presence;
  /** Aborted when the worker must stop. */
  signal: AbortSignal;
}

/** The worker's own record. Hooks check in it whether a worker is running; `status` prints its activity. */
export interface Presence {
  record: WorkerRecord;
  /** Records that this worker is running. */
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
  /** Passages embedded between two writes; null: a few. */
  batch: number | null;
  /** False: the user indexes. The worker then only takes jobs that were asked for, embeds and sends. */
  automatic: boolean;
  /** Whether another process emptied or replaced the store, or the settings changed. */
  isReplaced(): Promise<boolean>;
  /** Absent unless the user has enabled a model that reads sessions. */
  extractor?: RecentDependencies;
  /** Absent without a server. */
  server?: WorkerServer;
  close(): Promise<void>;
}

export interface WorkerServer {
  /** Whether something may be sent now; with `transcripts`, including transcripts of sessions that are not idle yet. */
  isDue(transcripts: boolean): boolean;
  /** When the first deferred transcript is due, in milliseconds since the epoch; null if none is deferred. */
  nextTranscriptAt(): number | null;
  /** Sends pending changes; null while another process is sending. Reports the server's failures instead of throwing them. */
  send(signal: AbortSignal, transcripts: boolean): Promise<DrainReport | null>;
  /** Embeds texts that other machines sent without vectors, and returns their number; absent unless the user wants that. */
  embed?(embedder: Embedder, options: EmbedOptions): Promise<number>;
}

export interface WorkerRequest {
  /** `idle`: ends after a while without work; `drain`: ends as soon as there is no work; `follow`: never ends. */
  until: 'idle' | 'drain' | 'follow';
  idleMs: number;
  /** Watches the agents' folders, for users without hooks. Only with `follow`. */
  watch: boolean;
  signal: AbortSignal;
}
