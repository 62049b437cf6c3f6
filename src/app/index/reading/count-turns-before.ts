import { SmartForkError } from '../../../domain/errors.ts';
import { addEvent, emptyDraft } from '../../../domain/session/draft.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';

/**
 * Counts the turns that a fork inherits but that only its parents' transcripts contain. Parents that are not on this machine are not
 * counted.
 */
export function countTurnsBefore(
  source: Pick<TranscriptSource, 'readInherited'>,
  file: TranscriptFile,
  siblings: TranscriptFile[],
): number {
  const draft = emptyDraft();
  try {
    source.readInherited?.(file, siblings, (event) => addEvent(draft, event));
  } catch (error) {
    // The fork can still be indexed; the parent's failure is reported when the parent is indexed.
    if (!(error instanceof SmartForkError)) throw error;
  }
  return draft.inheritedTurns;
}
