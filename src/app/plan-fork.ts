import type { SessionPayload } from '../domain/point.ts';
import { nativeId } from '../domain/session-id.ts';
import { commandLine, joinCommands } from '../domain/shell.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';

export interface ForkPlan {
  /** Whether the transcript is on this machine. */
  local: boolean;
  path: string | null;
  canFork: boolean;
  /** To copy: the native command, or the one that prints the context where the session cannot be forked here. */
  command: string;
  /** The command that goes on in the session itself; null where it is not here. */
  resume: string | null;
  /** What the command runs, and in which folder: null is any. Absent where the session cannot be forked here. */
  run?: { words: string[]; directory: string | null; first: string[] | null };
}

/** How to go on from a session here. */
export function planFork(
  deps: { sources: TranscriptSource[]; machine: ThisMachine },
  session: SessionPayload,
): ForkPlan {
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const path = source === undefined ? null : pathHere(source, session, deps.machine.name);
  const { shell } = deps.machine;
  if (source === undefined || path === null) {
    const command = commandLine(['smart-fork', 'retrieve', session.session_id], null, shell);
    return { local: false, path: null, canFork: false, command, resume: null };
  }
  const here = deps.machine.directoryExists(session.working_directory);
  const directory = here ? session.working_directory : null;
  const target = source.resumeTarget({ sessionId: nativeId(session.session_id), path }, directory);
  const archived = source.inspect(path)?.archived === true;
  const first = archived ? (source.restoreCommand?.(nativeId(session.session_id)) ?? null) : null;
  const line = (words: string[]) => {
    const command = commandLine(words, directory, shell);
    return first === null ? command : joinCommands([commandLine(first, null, shell), command], shell);
  };
  const words = source.forkCommand(target);
  return {
    local: true,
    path,
    canFork: true,
    command: line(words),
    resume: line(source.resumeCommand(target)),
    run: { words, directory, first },
  };
}

function pathHere(source: TranscriptSource, session: SessionPayload, machine: string): string | null {
  const remembered = session.machine === machine ? source.inspect(session.jsonl_path) : null;
  return remembered?.path ?? source.locate(session.session_id);
}
