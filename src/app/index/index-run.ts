import type { ModelRecord } from '../../domain/model/model-record.ts';
import type { Progress } from '../../domain/summary.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { LocalStore } from '../../ports/outbox.ts';
import type { SessionWriter } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { StartTimeLimit } from '../../ports/time-limit.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import type { ApplyDependencies } from '../privacy/apply-privacy-rules.ts';
import type { PrivacyRules } from '../privacy/privacy-rules.ts';
import type { FindParent } from './find-parent.ts';
import type { IndexReport } from './index-report.ts';
import type { Probed } from './limit-session.ts';
import type { PreparedSession } from './prepare-session.ts';

export interface IndexDependencies extends Pick<ApplyDependencies, 'contexts' | 'transcripts'> {
  store: LocalStore;
  state: IndexState;
  sources: TranscriptSource[];
  probe: RepositoryProbe;
  writer: SessionWriter;
  redactor: Redactor;
  /** A session that takes longer than its time is counted as failed. */
  startLimit: StartTimeLimit;
  privacy: PrivacyRules;
  /** Used to remove excluded sessions. */
  archive: Pick<SessionArchive, 'remove'>;
  /** Ids of sessions of this machine that were forgotten. */
  forgotten: () => Set<string>;
  model: ModelRecord;
  machine: string;
  now: () => number;
}

export interface IndexRequest {
  /** Defaults to all transcripts. */
  files?: TranscriptFile[];
  /** Reads every transcript from its beginning, even if it is unchanged. */
  force?: boolean;
  /** Leaves the token streams of grown sessions to a later `refresh`, the cost of which grows with the sessions' length. */
  deferRefresh?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Called before the first write; true if another process may have done the work in the meantime. */
  beforeWork?: () => Promise<boolean>;
}

export type Group = { file: TranscriptFile; prepared: PreparedSession }[];

/** The state of one run. */
export interface Run {
  deps: IndexDependencies;
  report: IndexReport;
  storeId: string;
  findParent: FindParent;
  pending: TranscriptFile[];
  /** Paths of copies of a session's transcript, read or not. */
  copies: string[];
  /** Whether a session's transcript is here. */
  isHere: (sessionId: string) => boolean;
  group: Group;
  groupSince: number;
  probed: Probed;
  /** Writes in progress while the next groups are being read. */
  writing: Promise<void>[];
  signal: AbortSignal | undefined;
  /** Transcripts of sessions that another indexer changed in the meantime. */
  conflicts: TranscriptFile[];
}
