import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { type RestoreDependencies, type Restored, restoreSession } from '../archive/restore-session.ts';
import { type ForkPlan, planFork } from '../sessions/locate-session.ts';
import { type PreflightDependencies, preflight } from './preflight.ts';

export interface PreparedFork {
  can_fork: boolean;
  /** Whether the transcript is on this machine, by now. */
  local: boolean;
  jsonl_path: string | null;
  /** For a new terminal: forks the session, or prints its context where it cannot be forked here. */
  command: string;
  /** Whether the transcript was brought back for this. */
  restored: boolean;
  /** What to expect of the fork; see `preflight`. */
  checks: DoctorCheck[];
  /** What whoever forks should know before. */
  warnings: string[];
}

/**
 * Gets a session ready to be forked on this machine and says how: restores its transcript where that is needed, and looks at
 * all that `smart-fork fork` looks at. A copy that cannot be restored is a warning; its context can be loaded.
 */
export async function prepareFork(
  deps: RestoreDependencies & PreflightDependencies,
  session: SessionPayload,
  currentDirectory: string,
): Promise<PreparedFork> {
  const plan = planFork(deps, session);
  const back = plan.restorable ? await bringBack(deps, session, currentDirectory) : null;
  const restored = back !== null && 'path' in back ? back : null;
  const path = plan.path ?? restored?.path ?? null;
  const flight = await preflight(deps, session, { path, restorable: restored !== null, currentDirectory });
  const canFork = path !== null;
  return {
    can_fork: canFork,
    local: canFork,
    jsonl_path: path,
    command: restored?.fork_command ?? (canFork ? plan.command : retrieving(deps, session)),
    restored: restored?.state === 'restored' || restored?.state === 'replaced',
    checks: flight.checks,
    warnings: [...aboutRestoring(back), ...flight.checks.flatMap(asWarning)],
  };
}

async function bringBack(
  deps: RestoreDependencies,
  session: SessionPayload,
  directory: string,
): Promise<Restored | { problem: string }> {
  try {
    return (await restoreSession(deps, { session, directory })) ?? { problem: 'nothing is kept of it' };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return { problem: errorText(error) };
  }
}

function retrieving(deps: RestoreDependencies, session: SessionPayload): string {
  return planFork({ ...deps, archives: [] }, session).command;
}

function aboutRestoring(back: Restored | { problem: string } | null): string[] {
  if (back === null) return [];
  if ('problem' in back) return [`Its transcript could not be restored: ${back.problem}`];
  const said =
    back.state === 'restored' || back.state === 'replaced'
      ? [`Its transcript was restored to ${back.path}.`]
      : [];
  return [...said, ...back.notes];
}

function asWarning({ name, status, message, fix }: DoctorCheck): string[] {
  if (status === 'ok') return [];
  return [`${name}: ${message}.${fix === undefined ? '' : ` ${fix}`}`];
}

/** What stands in the way of a fork, or makes it another one than expected. */
export function forkWarnings(
  session: Pick<ForkPlan, 'local' | 'restorable'> & { machine: string; working_directory: string },
  machine: ThisMachine,
): string[] {
  const isOurs = session.machine === machine.name;
  const gone = isOurs
    ? 'is gone from this machine'
    : `is not on this machine (it was written on ${session.machine})`;
  if (session.restorable) return [`The transcript ${gone}, but kept: a fork restores it.`];
  if (!session.local)
    return [`The transcript ${gone}: it cannot be forked here, but its context can be loaded.`];
  if (machine.directoryExists(session.working_directory)) return [];
  return [`Its folder is not here any more: ${session.working_directory || '(unknown)'}.`];
}
