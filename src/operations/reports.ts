import type * as z from 'zod';
import type { settingsList, stats, status } from '../domain/json/state.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import type { HealthCheck } from '../domain/server-state.ts';
import type { SessionTokens, UsageReport } from '../domain/usage/usage-report.ts';
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

export type Stats = z.infer<typeof stats>;
/** `model`: as in `doctor`; null if the index is unreadable. */
export type Status = z.infer<typeof status> & { model: HealthCheck | null };
export type WorkerStatus = Status['worker'];
