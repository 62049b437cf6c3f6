import type { SharedArchiveSize } from '../server-state.ts';
import type { ArchiveSize } from '../summary.ts';
import { bytes, plural } from '../text/time-text.ts';

/** The size of this machine's archive, in one line. */
export function archiveText({ enabled, sessions, bytes: raw, stored_bytes, max_bytes }: ArchiveSize): string {
  const kept =
    sessions === 0
      ? 'nothing archived'
      : `${plural(sessions, 'transcript')} (${bytes(raw)}) in ${bytes(stored_bytes)} of ${bytes(max_bytes)}`;
  return enabled ? kept : `off, ${kept}`;
}

/** The size of the archive on the server, in one line. */
export function sharedArchiveText({
  enabled,
  sessions,
  bytes: raw,
  stored_bytes,
}: SharedArchiveSize): string {
  const kept = `${plural(sessions, 'transcript')} (${bytes(raw)}) in ${bytes(stored_bytes)} on the server`;
  return enabled ? kept : `${kept}; this machine sends none`;
}
