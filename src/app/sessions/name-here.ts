import { cannotStart } from '../../domain/session/missing-parts.ts';
import { copyId, nativeId } from '../../domain/session/session-id.ts';
import type { AgentCommands } from '../../ports/agent/agent-commands.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';

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
  return name === nativeId(name) || needsPath(source, name);
}

/** Whether the agent must be told a transcript's path, which differs between folders. */
export function needsPath({ commands, bytes }: TranscriptSource, name: string): boolean {
  const path = bytes?.restorePath?.(name, '/');
  return (
    path !== undefined &&
    commands !== undefined &&
    commands.resumeTarget({ sessionId: name, path }, '/') !== name
  );
}

interface AgentWords {
  /** Null if the agent cannot. */
  resume: string[] | null;
  fork: string[] | null;
  /** A command that must run first. */
  first: string[] | null;
}

/**
 * The words that continue a session from a folder (null: any). Resuming a copy under a name of its own would write to the session whose
 * id it contains, so it is forked instead.
 */
export function wordsFor(
  { commands, inHome = () => [] }: TranscriptSource,
  transcript: Pick<TranscriptFile, 'sessionId' | 'path' | 'archived' | 'unopenable'>,
  directory: string | null,
): AgentWords {
  if (commands === undefined || transcript.unopenable) return { resume: null, fork: null, first: null };
  const { sessionId } = transcript;
  const target = commands.resumeTarget(transcript, directory);
  const home = inHome(transcript.path);
  const within = (words: string[] | undefined) => (words === undefined ? null : [...home, ...words]);
  const fork = within(commands.fork?.(target));
  return {
    resume: sessionId === nativeId(sessionId) ? within(commands.resume(target)) : fork,
    fork,
    first: transcript.archived === true ? within(commands.restore?.(sessionId)) : null,
  };
}

/** @throws SmartForkError USAGE if the agent's sessions cannot be continued from a command line */
export function commandsOf({ agent, commands }: TranscriptSource, sessionId: string): AgentCommands {
  if (commands === undefined) throw cannotStart(agent, sessionId);
  return commands;
}
