import { SmartForkError } from '../../../domain/errors.ts';
import { addEvent, emptyDraft } from '../../../domain/session/draft.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';

/**
 * The turns of a fork before those in its own transcript: they stand in its parents' transcripts only. Those of a parent that is not
 * on this machine are not counted.
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
    // The fork itself can be indexed all the same; indexing the parent reports the parent.
    if (!(error instanceof SmartForkError)) throw error;
  }
  return draft.inheritedTurns;
}
