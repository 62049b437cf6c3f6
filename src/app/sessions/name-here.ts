import { copyId, nativeId } from '../../domain/session/session-id.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** What a session is called in this machine's own files; empty when they have another session under its id. Absent: the same everywhere. */
export interface NamesHere {
  localId?: (sessionId: string) => string;
}

/**
 * The id that a session's transcript has here, or will have when it is restored: where another session has its id, it lies
 * beside that one as its machine's copy.
 */
export function nameHere(
  { localId = (id) => id }: NamesHere,
  { session_id, machine }: { session_id: string; machine?: string },
): string {
  return localId(session_id) || copyId(session_id, machine ?? 'elsewhere');
}

/** Whether the agent finds a transcript under this name: a copy's is no id of its own, so there must be another way than by id. */
export function isForAgent(source: TranscriptSource, name: string): boolean {
  if (name === nativeId(name)) return true;
  return source.resumeTarget({ sessionId: name, path: source.restorePath(name, '/') }, '/') !== name;
}

/** Going on in a copy would write to the session whose id it has inside: it is forked instead. */
export function resumeWords(source: TranscriptSource, name: string, target: string): string[] {
  return name === nativeId(name) ? source.resumeCommand(target) : source.forkCommand(target);
}
