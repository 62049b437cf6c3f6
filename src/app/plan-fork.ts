import { commandLine } from '../domain/fork-plan.ts';
import type { SessionPayload } from '../domain/point.ts';
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
}

/**
 * How to go on from a session here. The agent finds a session from its working directory; where that is not on this
 * machine, the transcript's path does as well.
 */
export function planFork(
  deps: { sources: TranscriptSource[]; machine: ThisMachine },
  session: SessionPayload,
): ForkPlan {
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const path = source === undefined ? null : pathHere(source, session, deps.machine.name);
  const { platform } = deps.machine;
  if (source === undefined || path === null) {
    const command = commandLine(['smart-fork', 'retrieve', session.session_id], null, platform);
    return { local: false, path: null, canFork: false, command, resume: null };
  }
  const here = deps.machine.directoryExists(session.working_directory);
  const directory = here ? session.working_directory : null;
  const target = here || !source.resumesByPath ? session.session_id : path;
  const archived =
    source.inspect(path)?.archived === true ? source.restoreCommand?.(session.session_id) : undefined;
  const prefix =
    archived === undefined
      ? ''
      : `${commandLine(archived, null, platform)}${platform === 'win32' ? '; ' : ' && '}`;
  return {
    local: true,
    path,
    canFork: true,
    command: prefix + commandLine(source.forkCommand(target), directory, platform),
    resume: prefix + commandLine(source.resumeCommand(target), directory, platform),
  };
}

function pathHere(source: TranscriptSource, session: SessionPayload, machine: string): string | null {
  const remembered = session.machine === machine ? source.inspect(session.jsonl_path) : null;
  return remembered?.path ?? source.locate(session.session_id);
}
