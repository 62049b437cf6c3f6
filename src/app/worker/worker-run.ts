import type { Embedder, ModelState } from '../../ports/embedder.ts';
import type { JobSpool, WorkerRecord, WorkerRecords } from '../../ports/job-spool.ts';
import type { Lease } from '../../ports/lease.ts';
import type { Log, WatchTranscripts } from '../../ports/machine.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import type { ArchiveShelf } from '../archive/archive-shelf.ts';
import type { KeepDependencies } from '../archive/keep-transcripts.ts';
import type { EmbedOptions } from '../index/embed-pending.ts';
import type { IndexDependencies } from '../index/index-transcripts.ts';
import type { DrainReport } from '../share/send/drain-outbox.ts';
import type { KeptLease } from './hold-lease.ts';

/** What the worker indexes with; opened once the lease is its own. */
export interface WorkerIndex {
  index: IndexDependencies;
  keeping: KeepDependencies;
  modelState(): Promise<ModelState>;
  embedder(): Promise<Embedder>;
  /** Whether the store was made anew by another process (what is open then is a file that nobody will read), or the settings changed. */
  isReplaced(): boolean;
  /** The way to the server that this machine shares; absent without one. */
  server?: WorkerServer;
  close(): Promise<void>;
}

export interface WorkerServer {
  /** Whether something may be sent now; with `transcripts`, also those that wait until their sessions are quiet. */
  isDue(transcripts: boolean): boolean;
  /** When the first transcript that waits for that is due, in milliseconds; null when none does. */
  quietUntil(): number | null;
  /** Sends what waits; null when another process is at it. Never throws for what the server does. */
  send(signal: AbortSignal, transcripts: boolean): Promise<DrainReport | null>;
  /** Embeds what other machines sent without vectors; absent where the user does not want that. Returns how many texts. */
  embed?(embedder: Embedder, options: EmbedOptions): Promise<number>;
}

export interface WorkerDependencies {
  lease: Lease;
  spool: JobSpool;
  records: WorkerRecords;
  log: Log;
  open(): Promise<WorkerIndex>;
  /** Whether the machine runs on battery; false where that cannot be told. */
  onBattery(): boolean;
  watch: WatchTranscripts;
  pid: number;
  now(): number;
}

export interface WorkerRequest {
  /** `idle`: ends when there was nothing to do for a while; `drain`: as soon as there is nothing to do; `follow`: never. */
  until: 'idle' | 'drain' | 'follow';
  idleMs: number;
  /** Notices changed transcripts by itself; for those who have no hooks. Only with `follow`. */
  watch: boolean;
  signal: AbortSignal;
}

export interface WorkerReport {
  /** `busy`: another worker has the lease. */
  ended: 'idle' | 'drained' | 'stopped' | 'busy' | 'replaced';
  jobs: number;
  embedded: number;
  /** Jobs that are left: they wait for another try, or came too late. */
  waiting: number;
  /** Jobs that were put aside, by this run and before. */
  failed: number;
}

/** One run of the worker: what it was given and what it knows so far. */
export interface WorkerRun {
  deps: WorkerDependencies;
  request: WorkerRequest;
  opened: WorkerIndex;
  lease: KeptLease;
  record: WorkerRecord;
  /** Changed transcripts that no job speaks of, newest first. */
  backlog: TranscriptFile[];
  /** Of those, the ones that could not be read, with their mtime: looking must not find them again and again. */
  refused: Map<string, number>;
  /** Whether sessions have grown whose token streams are to be brought up to date, and whether now. */
  stale: boolean;
  refreshNow: boolean;
  /** What is kept of transcripts; null makes the worker look, and look for what is not. */
  shelf: ArchiveShelf | null;
  unkept: TranscriptFile[];
  /** False after the archive failed; the next worker tries it again. */
  canKeep: boolean;
  /** False after the model failed; the next worker tries it again. */
  canEmbed: boolean;
  lookedAt: number;
  busyAt: number;
  storeFailures: number;
  /** What is being sent, beside everything else: the network's time is not the worker's. */
  sending: Promise<void> | null;
  /** A session ended: transcripts are not put off when next something is sent. */
  transcriptsNow: boolean;
}
