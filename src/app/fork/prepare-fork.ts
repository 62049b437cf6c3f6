import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type RestoreDependencies, type Restored, restoreSession } from '../archive/restore-session.ts';
import { locateSession, locateTranscript, nowhere } from '../sessions/locate-session.ts';
import { findStartFolder } from '../sessions/start-folder.ts';
import type { ForkDependencies, ForkLocation, ForkRequest } from './fork-request.ts';
import { type Preflight, type PreflightDependencies, preflight } from './preflight.ts';
import { textSize } from './text-size.ts';

/** A session that is about to be forked. */
export interface PreparedFork {
  location: ForkLocation;
  flight: Preflight;
  /** Result of `restoreNow`; null if nothing was restored. */
  restored: Restored | null;
  /** Why `restoreNow` failed, so that only the session's context is available. */
  problem: string | null;
}

/** Without an agent, the session's own. */
interface PrepareRequest
  extends Partial<Pick<ForkRequest, 'agent' | 'turn' | 'inject' | 'query' | 'folder'>> {
  session: SessionPayload;
  currentDirectory: string;
  /** Restores the transcript before the checks if it is not on this machine. */
  restoreNow?: boolean;
}

/** Locates a session and checks whether it can be forked. Changes nothing, except with `restoreNow`. */
export async function prepareFork(
  deps: ForkDependencies & PreflightDependencies & { store: PointStore },
  request: PrepareRequest,
): Promise<PreparedFork> {
  const { session, currentDirectory, agent = session.agent, turn = null } = request;
  const { query = null, inject = false } = request;
  const directory = request.folder ?? (await findStartFolder(deps, session, currentDirectory));
  const located = { ...locateSession(deps, session), directory };
  const prepared =
    request.restoreNow === true && located.restorable
      ? await tryToRestore(deps, session, directory)
      : { location: located, restored: null, problem: null };
  const { continued_in } = session;
  const [next] = continued_in === undefined ? [] : await deps.store.getSessions([continued_in]);
  const { location } = prepared;
  const size = await textSize(deps, { session, location, agent, turn, query, inject });
  const flight = await preflight(deps, { ...request, nextTitle: next?.title, textSize: size }, location);
  return { ...prepared, flight };
}

async function tryToRestore(
  deps: RestoreDependencies,
  session: SessionPayload,
  directory: string,
): Promise<Omit<PreparedFork, 'flight'>> {
  const failed = (problem: string) => ({
    location: { ...nowhere(session, deps.machine.shell), directory },
    restored: null,
    problem,
  });
  try {
    const back = await restoreToFork(deps, session, directory);
    return back === null ? failed('it is not archived') : { ...back, problem: null };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return failed(errorText(error));
  }
}

/**
 * Restores a transcript for an agent in `directory`. Null if no archive has it.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export async function restoreToFork(
  deps: RestoreDependencies,
  session: SessionPayload,
  directory: string,
): Promise<{ location: ForkLocation; restored: Restored } | null> {
  const restored = await restoreSession(deps, { session, directory });
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const transcript = restored === null ? null : (source?.inspect(restored.path) ?? null);
  if (source === undefined || restored === null || transcript === null) return null;
  return {
    location: { ...locateTranscript(deps, source, transcript, directory), restorable: true, directory },
    restored,
  };
}

/** Describes a restore in sentences. */
export function restoreNotes({ state, path, notes }: Restored): string[] {
  const isWritten = state === 'restored' || state === 'replaced';
  return [...(isWritten ? [`Restored its transcript: ${path}`] : []), ...notes];
}
