import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { ForgottenSessions } from '../../../ports/index-state.ts';
import type { LocalStore, Outbox, OutboxEntry, UnsentPoints } from '../../../ports/outbox.ts';
import type { ArchiveCommit, ArchivePoint, RemoteStore } from '../../../ports/remote-store.ts';
import type { TranscriptToSend } from './prepare-transcript.ts';

export interface SendDependencies {
  outbox: Outbox;
  local: LocalStore;
  remote: RemoteStore;
  tokenizer: LexicalTokenizer;
  /** This machine's name. */
  machine: string;
  now: () => number;
  /** What brings the archived transcript of a local session up to date on the server. Absent: none is sent. */
  prepareTranscript?: (
    transcript: TranscriptToSend,
    manifest: ArchivePoint | null,
  ) => Promise<ArchiveCommit | null>;
  /** What this machine remembers of what was forgotten; absent where it has no transcripts. */
  notes?: ForgottenSessions;
  /** Removes this machine's copies of sessions' transcripts. */
  removeArchived?: (sessionIds: string[]) => Promise<unknown>;
}

/** An entry and the local session that it is about. */
export interface Sending {
  entry: OutboxEntry;
  /** On the server. */
  remoteId: string;
  /** In the local store. */
  localId: string;
  unsent: UnsentPoints;
}
