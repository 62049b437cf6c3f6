import { copyId, nativeId } from '../../domain/session/session-id.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** Maps a session's id to its id in this machine's files; empty if another session has that id here. Absent: ids are the same everywhere. */
export interface NamesHere {
  localId?: (sessionId: string) => string;
}

/**
 * The id under which a session's transcript is stored here, or would be restored. If another session already has its id, its transcript
 * is stored next to that one, under a name made from its id and machine.
 */
export function nameHere(
  { localId = (id) => id }: NamesHere,
  { session_id, machine }: { session_id: string; machine?: string },
): string {
  return localId(session_id) || copyId(session_id, machine ?? 'elsewhere');
}

/** Whether the agent finds a transcript by this name. The name of such a copy is not an id, so the agent needs its path. */
export function isForAgent(source: TranscriptSource, name: string): boolean {
  if (name === nativeId(name)) return true;
  return source.resumeTarget({ sessionId: name, path: source.restorePath(name, '/') }, '/') !== name;
}

/** Resuming such a copy would write to the session whose id it contains, so it is forked instead. */
export function resumeWords(source: TranscriptSource, name: string, target: string): string[] {
  return name === nativeId(name) ? source.resumeCommand(target) : source.forkCommand(target);
}
