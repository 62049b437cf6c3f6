import { commandLine, joinCommands, type Shell } from '../../domain/machine/shell.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { nativeId } from '../../domain/session/session-id.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { isForAgent, type NamesHere, nameHere, resumeWords } from './name-here.ts';

export interface ForkPlan {
  /** Whether the transcript is on this machine. */
  local: boolean;
  /** Whether it is not, but can probably be restored to it. */
  restorable: boolean;
  path: string | null;
  canFork: boolean;
  /** To copy: the native command, restoring first where that is needed; else the one that prints the context. */
  command: string;
  /** The command that goes on in the session itself; null where it is neither here nor kept. */
  resume: string | null;
  /** What the command runs, and in which folder: null is any. Absent where the transcript is not here. */
  run?: { words: string[]; directory: string | null; first: string[] | null };
}

export interface PlanDependencies extends NamesHere {
  sources: TranscriptSource[];
  machine: ThisMachine;
  archives: ArchiveReader[];
}

/** How to go on from a session here. */
export function planFork(deps: PlanDependencies, session: SessionPayload): ForkPlan {
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const path = source === undefined ? null : pathHere(deps, source, session);
  const { shell } = deps.machine;
  if (source === undefined || path === null) {
    const away = { local: false, restorable: false, path: null };
    const name = nameHere(deps, session);
    const kept = deps.archives.some((archive) => archive.mayHold(session));
    if (source !== undefined && kept && isForAgent(source, name)) {
      const commands = restoringCommands(source, session, name, shell);
      return { ...away, restorable: true, canFork: true, ...commands };
    }
    const command = commandLine(['smart-fork', 'retrieve', session.session_id], null, shell);
    return { ...away, canFork: false, command, resume: null };
  }
  const here = deps.machine.directoryExists(session.working_directory);
  const directory = here ? session.working_directory : null;
  // What the agent would find by the session's id may be another file than this one.
  const file = source.inspect(path);
  const sessionId = file?.sessionId ?? nativeId(session.session_id);
  const target = source.resumeTarget({ sessionId, path }, directory);
  const first = file?.archived === true ? (source.restoreCommand?.(sessionId) ?? null) : null;
  const line = (words: string[]) => {
    const command = commandLine(words, directory, shell);
    return first === null ? command : joinCommands([commandLine(first, null, shell), command], shell);
  };
  const words = source.forkCommand(target);
  return {
    local: true,
    restorable: false,
    path,
    canFork: true,
    command: line(words),
    resume: line(resumeWords(source, sessionId, target)),
    run: { words, directory, first },
  };
}

/** In whatever folder they are run: the session goes on there. */
function restoringCommands(
  source: TranscriptSource,
  { session_id }: SessionPayload,
  name: string,
  shell: Shell,
): { command: string; resume: string } {
  const line = (words: string[]) => commandLine(words, null, shell);
  const path = source.restorePath(name, '/');
  if (source.resumeTarget({ sessionId: name, path }, '/') !== name) {
    // The agent would need the path, which is another one in every folder: these find it out.
    const restore = line(['smart-fork', 'restore', session_id]);
    return { command: line(['smart-fork', 'fork', session_id, '--exec']), resume: restore };
  }
  const restored = (words: string[]) =>
    joinCommands([line(['smart-fork', 'restore', session_id]), line(words)], shell);
  return {
    command: restored(source.forkCommand(name)),
    resume: restored(source.resumeCommand(name)),
  };
}

function pathHere(deps: PlanDependencies, source: TranscriptSource, session: SessionPayload): string | null {
  const remembered = session.machine === deps.machine.name ? source.inspect(session.jsonl_path) : null;
  return remembered?.path ?? source.locate(nameHere(deps, session));
}
