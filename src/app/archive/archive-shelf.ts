import { isSameMark, markOf } from '../../domain/agent/change-mark.ts';
import type { ArchiveEntry, SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';

/**
 * Compares the archive's contents with its size limit. At the limit, the least recently written sessions are evicted, even if their
 * transcript is gone: the archive holds the newest sessions that fit and never stays full.
 */
export interface ArchiveShelf {
  /** Whether the archive has the transcript's current state, and no leftovers. */
  holds(file: TranscriptFile): boolean;
  /** False for a transcript that would be evicted again at once. */
  hasRoomFor(file: TranscriptFile): boolean;
  put(file: TranscriptFile, storedBytes: number): void;
  /** Evicts a session; returns its id. */
  take(sessionId: string): string[];
  /** Evicts sessions until the rest fits, and returns their ids. */
  makeRoom(): string[];
}

/** Transcripts compress to about a seventh. Transcripts larger than this many times the limit are not tried at all. */
const MAX_COMPRESSION = 10;

export async function readShelf(archive: SessionArchive, maxBytes: number): Promise<ArchiveShelf> {
  const entries = new Map((await archive.list()).map((entry) => [entry.sessionId, entry]));
  let total = [...entries.values()].reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  const take = (sessionId: string) => {
    total -= entries.get(sessionId)?.storedBytes ?? 0;
    entries.delete(sessionId);
    return [sessionId];
  };
  return {
    holds(file) {
      const entry = entries.get(file.sessionId);
      const isSame = entry?.source.path === file.path && isSameMark(entry.source, file);
      return isSame && !entry.hasLeftovers;
    },
    hasRoomFor(file) {
      if (file.size > MAX_COMPRESSION * maxBytes) return false;
      if (entries.has(file.sessionId) || total + file.size <= maxBytes) return true;
      return [...entries.values()].some(({ source }) => source.mtimeMs < file.mtimeMs);
    },
    put(file, storedBytes) {
      take(file.sessionId);
      const { sessionId, path, size } = file;
      const source = { path, ...markOf(file) };
      entries.set(sessionId, { sessionId, source, bytes: size, storedBytes, hasLeftovers: false });
      total += storedBytes;
    },
    take,
    makeRoom() {
      if (total <= maxBytes) return [];
      // Evict these first: otherwise one transcript larger than the limit would evict all others.
      const huge = [...entries.values()].filter(({ storedBytes }) => storedBytes > maxBytes);
      const gone = huge.flatMap(({ sessionId }) => take(sessionId));
      for (const { sessionId } of [...entries.values()].sort(byAge)) {
        if (total <= maxBytes) break;
        gone.push(...take(sessionId));
      }
      return gone;
    },
  };
}

function byAge(a: ArchiveEntry, b: ArchiveEntry): number {
  return a.source.mtimeMs - b.source.mtimeMs;
}
