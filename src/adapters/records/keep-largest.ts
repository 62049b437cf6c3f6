import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';

/** Adds a session's file unless a larger one of the same session is known. The other is reported as a copy. */
export function keepLargest(
  found: Map<string, TranscriptFile>,
  file: TranscriptFile,
  onProblem?: OnProblem,
): void {
  const other = found.get(file.sessionId);
  const isBest = other === undefined || other.size < file.size;
  if (isBest) found.set(file.sessionId, file);
  if (other !== undefined) onProblem?.((isBest ? other : file).path, 'another copy is read', 'copy');
}
