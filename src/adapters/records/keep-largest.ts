import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';

/** Adds a session's file unless one of its own name or a larger one is known. The other is reported as a copy. */
export function keepLargest(
  found: Map<string, TranscriptFile>,
  file: TranscriptFile,
  onProblem?: OnProblem,
): void {
  const other = found.get(file.sessionId);
  const isBest = other === undefined || isBetter(file, other);
  if (isBest) found.set(file.sessionId, file);
  if (other !== undefined) onProblem?.((isBest ? other : file).path, 'another copy is read', 'copy');
}

/** Of equals, the one with the shorter name: copies have something added to it. */
function isBetter(file: TranscriptFile, other: TranscriptFile): boolean {
  if (file.isCopy !== other.isCopy && file.size > 0 && other.size > 0) return other.isCopy === true;
  return file.size === other.size ? file.path.length < other.path.length : file.size > other.size;
}
