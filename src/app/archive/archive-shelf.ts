import type { ArchiveEntry, SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';

/**
 * What the archive holds, and what fits. When the cap is reached the sessions that were written longest ago make room,
 * whether their transcript is still there or not: so the archive holds the newest ones that fit, and does not fill up
 * for good with what is gone.
 */
export interface ArchiveShelf {
  /** Whether the transcript's present state is kept. */
  holds(file: TranscriptFile): boolean;
  /** False for what would only have to make room again. */
  hasRoomFor(file: TranscriptFile): boolean;
  put(file: TranscriptFile, storedBytes: number): void;
  /** Takes a session off the shelf; returns its id. */
  take(sessionId: string): string[];
  /** Takes off what is too much; returns the ids. */
  makeRoom(): string[];
}

/** A transcript is compressed to about a seventh; one that is longer than this times the cap is not even tried. */
const MOST_COMPRESSION = 10;

export async function readShelf(archive: SessionArchive, maxBytes: number): Promise<ArchiveShelf> {
  const entries = new Map((await archive.list()).map((entry) => [entry.sessionId, entry]));
  let total = [...entries.values()].reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  const take = (sessionId: string) => {
    total -= entries.get(sessionId)?.storedBytes ?? 0;
    entries.delete(sessionId);
    return [sessionId];
  };
  return {
    holds: (file) => isSame(entries.get(file.sessionId)?.source, file),
    hasRoomFor(file) {
      if (file.size > MOST_COMPRESSION * maxBytes) return false;
      if (entries.has(file.sessionId) || total + file.size <= maxBytes) return true;
      return [...entries.values()].some(({ source }) => source.mtimeMs < file.mtimeMs);
    },
    put(file, storedBytes) {
      take(file.sessionId);
      const { sessionId, path, size, mtimeMs, inode } = file;
      entries.set(sessionId, { sessionId, source: { path, size, mtimeMs, inode }, bytes: size, storedBytes });
      total += storedBytes;
    },
    take,
    makeRoom() {
      if (total <= maxBytes) return [];
      // One that is larger than the whole shelf goes before it has driven out all others.
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

function isSame(source: ArchiveEntry['source'] | undefined, file: TranscriptFile): boolean {
  return (
    source?.path === file.path &&
    source.size === file.size &&
    source.mtimeMs === file.mtimeMs &&
    source.inode === file.inode
  );
}

function byAge(a: ArchiveEntry, b: ArchiveEntry): number {
  return a.source.mtimeMs - b.source.mtimeMs;
}
