import { SmartForkError } from '../../domain/errors.ts';
import type { ArchiveSize, SharedArchiveSize } from '../../domain/result.ts';
import type { SessionArchive, SharedArchive } from '../../ports/session-archive.ts';

/** The size of this machine's archive. */
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

/** The size of the archive on the server; null if the server does not answer. */
export async function sharedArchiveSize(
  archive: Pick<SharedArchive, 'size'>,
  enabled: boolean,
): Promise<SharedArchiveSize | null> {
  try {
    const { sessions, bytes, storedBytes } = await archive.size();
    return { enabled, sessions, bytes, stored_bytes: storedBytes };
  } catch (error) {
    // The server's state reports the reason.
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}
