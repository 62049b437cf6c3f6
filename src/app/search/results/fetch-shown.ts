import type { SessionPayload } from '../../../domain/point/point.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';

/** The results' sessions and matching passages. */
export interface Shown {
  sessions: Map<string, SessionPayload>;
  points: Map<string, StoredPoint['payload']>;
}

/** Fetches what `find` did not return. */
export async function fetchShown(store: PointStore, found: Findings, wanted: Presented[]): Promise<Shown> {
  const hits = wanted.flatMap(({ best }) => [
    best.chunkByWords,
    best.chunkByVector,
    best.chunkByWords === null && best.chunkByVector === null ? best.intent : null,
  ]);
  const sessions = new Map(found.sessions.map((session) => [session.session_id, session]));
  const points = new Map(found.points.map(({ id, payload }) => [id, payload]));
  const sessionIds = wanted.map(({ session_id }) => session_id).filter((id) => !sessions.has(id));
  const pointIds = new Set(hits.flatMap((hit) => hit?.point_id ?? []).filter((id) => !points.has(id)));
  const [moreSessions, morePoints] = await Promise.all([
    sessionIds.length > 0 ? store.getSessions(sessionIds) : [],
    pointIds.size > 0 ? store.getPoints([...pointIds]) : [],
  ]);
  for (const session of moreSessions) sessions.set(session.session_id, session);
  for (const { id, payload } of morePoints) points.set(id, payload);
  return { sessions, points };
}
