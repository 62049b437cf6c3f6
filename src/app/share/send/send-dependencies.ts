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
  /** Computes the update of a local session's transcript on the server. Absent if transcripts are not sent. */
  prepareTranscript?: (
    transcript: TranscriptToSend,
    manifest: ArchivePoint | null,
  ) => Promise<ArchiveCommit | null>;
  /** This machine's record of forgotten sessions; absent if it has no transcripts. */
  notes?: ForgottenSessions;
  /** Removes archived transcripts from this machine. */
  removeArchived?: (sessionIds: string[]) => Promise<unknown>;
}

/** An entry and its local session. */
export interface Sending {
  entry: OutboxEntry;
  /** Id on the server. */
  remoteId: string;
  /** Id in the local store. */
  localId: string;
  unsent: UnsentPoints;
}
