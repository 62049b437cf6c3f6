import type { Problem } from '../../domain/errors.ts';
import type { ExtractorState } from '../../domain/extractor/extractor-state.ts';
import type { IdeaCounts } from '../../domain/memory/memory-result.ts';
import type { HealthCheck, ServerState } from '../../domain/server-state.ts';
import type { ArchiveSize } from '../../domain/summary.ts';
import type { FailedJob, SpoolCounts, WorkerRecord } from '../../ports/job-spool.ts';
import { operation } from '../operation.ts';

export interface WorkerStatus extends SpoolCounts {
  running: boolean;
  /** The record of the running worker, or else of the last one. */
  record: WorkerRecord | null;
  failures: FailedJob[];
}

export interface Status {
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

export const status = operation({
  name: 'status',
  summary: 'show the background worker, its queue and its last error',
  effect: 'reads',
  fields: {},
  run: (open) => open.reports.status(),
});
