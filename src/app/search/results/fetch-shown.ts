import type { SessionPayload } from '../../../domain/point/point.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';

/** The results' sessions and matching passages. */
export interface Shown {
  sessions: Map<string, SessionPayload>;
  points: Map<string, StoredPoint['payload']>;
}

/** @param known sessions that were fetched before. */
export async function fetchShown(
  store: PointStore,
  wanted: Presented[],
  known: SessionPayload[] = [],
): Promise<Shown> {
  const hits = wanted.flatMap(({ best }) => [
    best.chunkByWords,
    best.chunkByVector,
    best.chunkByWords === null && best.chunkByVector === null ? best.intent : null,
  ]);
  const sessions = new Map(known.map((session) => [session.session_id, session]));
  const sessionIds = wanted.map(({ session_id }) => session_id).filter((id) => !sessions.has(id));
  const pointIds = new Set(hits.flatMap((hit) => hit?.point_id ?? []));
  const [moreSessions, points] = await Promise.all([
    sessionIds.length > 0 ? store.getSessions(sessionIds) : [],
    pointIds.size > 0 ? store.getPoints([...pointIds]) : [],
  ]);
  for (const session of moreSessions) sessions.set(session.session_id, session);
  return { sessions, points: new Map(points.map(({ id, payload }) => [id, payload])) };
}
