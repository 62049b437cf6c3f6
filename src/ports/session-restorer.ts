import type { SessionPayload } from '../domain/point.ts';

/**
 * Brings back transcripts that are not on this machine, byte for byte, to where the agent finds them from a folder.
 *
 * - Null when there is nothing to restore from.
 * - A transcript that lies there already is never replaced by another one. `created` is false when it lay there.
 * - Throws SmartForkError TRANSCRIPT_UNREADABLE when what was kept is damaged or cannot be written.
 */
export interface SessionRestorer {
  restore(
    session: Pick<SessionPayload, 'session_id' | 'agent'>,
    workingDirectory: string,
  ): Promise<{ path: string; created: boolean; notes: string[] } | null>;
}

/** For where nothing is kept. */
export const nothingKept: SessionRestorer = { restore: async () => null };
