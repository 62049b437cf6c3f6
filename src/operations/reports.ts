import type * as z from 'zod';
import type { Problem } from '../domain/errors.ts';
import type { ExtractorState } from '../domain/extractor/extractor-state.ts';
import type { settingsList } from '../domain/json/state.ts';
import type { IdeaCounts } from '../domain/memory/memory-result.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { HealthCheck, ServerState, SharedArchiveSize } from '../domain/server-state.ts';
import type { ArchiveSize, StatsReport } from '../domain/summary.ts';
import type { SessionTokens, UsageReport } from '../domain/usage/usage-report.ts';
import type { FailedJob, SpoolCounts, WorkerRecord } from '../ports/job-spool.ts';
import type { TranscriptFile } from '../ports/transcript-source.ts';

/** What is known of the installation. */
export interface Reports {
  stats(filter: SessionFilter): Promise<Stats>;
  status(): Promise<Status>;
  doctor(): Promise<HealthCheck[]>;
  settings(): z.input<typeof settingsList>;
  usage(filter: SessionFilter): Promise<UsageReport>;
  /** Null if none was counted. */
  sessionUsage(sessionId: string, transcript: TranscriptFile | null): Promise<SessionTokens | null>;
  usageBySession(): Promise<Map<string, SessionTokens>>;
}

export interface Stats extends StatsReport {
  server: (ServerState & { archive: SharedArchiveSize | null }) | null;
}

export interface WorkerStatus extends SpoolCounts {
  running: boolean;
  /** The record of the running worker, or else of the last one. */
  record: WorkerRecord | null;
  failures: FailedJob[];
}

export interface Status {
  /** Whether sessions are indexed without being asked. */
  automatic: boolean;
  worker: WorkerStatus;
  waiting: { intents: number; chunks: number };
  archive: ArchiveSize;
  server: ServerState | null;
  /** Damaged databases. */
  problems: Problem[];
  /** Counts for this machine's store; null if there is none, or it is unreadable. */
  ideas: IdeaCounts | null;
  /** The check of the model, as in `doctor`; null if the index is unreadable. */
  model: HealthCheck | null;
  /** Today's usage of the model that reads sessions; null if none is enabled. */
  extractor: ExtractorState | null;
}
