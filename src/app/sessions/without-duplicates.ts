import type { TranscriptFile } from '../../ports/transcript-source.ts';

/**
 * Keeps one transcript per session id: the session's own unless it is empty, the longest, the newest and, of equals, the one with the shortest path: copies
 * have something added to it. Sorted newest first.
 */
export function withoutDuplicates(files: TranscriptFile[]): TranscriptFile[] {
  const best = new Map<string, TranscriptFile>();
  for (const file of files) {
    const other = best.get(file.sessionId);
    if (other === undefined || isBetter(file, other)) best.set(file.sessionId, file);
  }
  return [...best.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
}

function isBetter(file: TranscriptFile, other: TranscriptFile): boolean {
  // A repair or a full disk may leave an empty file.
  if (file.isCopy !== other.isCopy && file.size > 0 && other.size > 0) return other.isCopy === true;
  if (file.size !== other.size) return file.size > other.size;
  if (file.mtimeMs !== other.mtimeMs) return file.mtimeMs > other.mtimeMs;
  return file.path.length < other.path.length;
}
