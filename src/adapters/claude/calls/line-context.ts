import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { CommitCalls } from './commit-calls.ts';

/** The shared fields of one line's events, and their receiver. */
export interface LineContext {
  inherited: boolean;
  /** Whether the file belongs to a subagent. */
  ofSubagent: boolean;
  calls: CommitCalls;
  /** Whether the transcript contains a message with this id. */
  holds: (uuid: string) => boolean;
  /** Whether no prompt comes before this line. */
  isFirst: () => boolean;
  /** Whether the beginning of a text stands before this line, too. */
  repeats: (text: string) => boolean;
  emit: (event: TranscriptEvent) => void;
}
