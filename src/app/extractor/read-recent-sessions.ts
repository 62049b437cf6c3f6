import type { SessionPayload } from '../../domain/point/point.ts';
import { eachSession } from '../../ports/point-store.ts';
import {
  costOf,
  type ReadingDependencies,
  readSession,
  type SessionReading,
  writeNotedIdeas,
} from './read-session.ts';

/** A session that continues later would be read twice. */
const IDLE_MS = 30 * 60_000;
/** Older sessions are read only at the user's request. */
const RECENT_MS = 7 * 86_400_000;

export interface RecentDependencies extends ReadingDependencies {
  /** Only sessions of this machine. */
  machine: string;
  /** Sessions that were read completely or failed, with their content_hash, so that their texts are not read from the store again. */
  done: Set<string>;
}

/** Reads the newest idle session that a model has not read; null if there is none. */
export async function readRecentSessions(
  deps: RecentDependencies,
  signal: AbortSignal,
): Promise<SessionReading | null> {
  const { store, machine, now, done } = deps;
  const recent = { machine, since: new Date(now() - RECENT_MS).toISOString() };
  for await (const session of eachSession(store, recent)) {
    const ended = session.ended_at === null ? Number.NaN : Date.parse(session.ended_at);
    if (!(now() - ended > IDLE_MS)) continue;
    const key = `${session.session_id} ${session.content_hash}`;
    if (done.has(key)) continue;
    if ((await costOf(deps, session)).calls > 0) return await readUnlessFailed(deps, session, key, signal);
    // Ideas that a killed worker recorded but did not write.
    await writeNotedIdeas(deps, session.session_id);
    done.add(key);
  }
  return null;
}

/** A failed session is not retried before the others; an interrupted one is. */
async function readUnlessFailed(
  deps: RecentDependencies,
  session: SessionPayload,
  key: string,
  signal: AbortSignal,
): Promise<SessionReading> {
  try {
    return await readSession(deps, session, signal);
  } catch (error) {
    if (!signal.aborted) deps.done.add(key);
    throw error;
  }
}
