import type { SessionPayload } from '../domain/point.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { planFork } from './plan-fork.ts';

export interface PreparedFork {
  can_fork: boolean;
  /** Whether the transcript is on this machine. */
  local: boolean;
  jsonl_path: string | null;
  /** For a new terminal: forks the session, or prints its context where it cannot be forked here. */
  command: string;
  /** What whoever forks should know before. */
  warnings: string[];
}

/** Gets a session ready to be forked on this machine and says how. */
export async function prepareFork(
  deps: { sources: TranscriptSource[]; machine: ThisMachine },
  session: SessionPayload,
): Promise<PreparedFork> {
  const plan = planFork(deps, session);
  const warnings = forkWarnings({ ...session, local: plan.local }, deps.machine);
  return {
    can_fork: plan.canFork,
    local: plan.local,
    jsonl_path: plan.path,
    command: plan.command,
    warnings,
  };
}

/** What stands in the way of a fork, or makes it another one than expected. */
export function forkWarnings(
  session: { local: boolean; machine: string; working_directory: string },
  machine: ThisMachine,
): string[] {
  if (!session.local)
    return [
      `The transcript is not on this machine (it was written on ${session.machine}): it cannot be forked here, but its context can be loaded.`,
    ];
  if (machine.directoryExists(session.working_directory)) return [];
  return [`Its folder is not here any more: ${session.working_directory || '(unknown)'}.`];
}
