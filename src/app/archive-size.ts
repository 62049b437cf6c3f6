import type { ArchiveSize } from '../domain/result.ts';
import type { SessionArchive } from '../ports/session-archive.ts';

/** How much is kept of transcripts on this machine. */
export async function archiveSize(
  archive: SessionArchive,
  settings: { enabled: boolean; maxBytes: number },
): Promise<ArchiveSize> {
  const entries = await archive.list();
  return {
    enabled: settings.enabled,
    sessions: entries.length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    stored_bytes: entries.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    max_bytes: settings.maxBytes,
  };
}
