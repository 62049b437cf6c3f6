import type { SessionPayload } from '../../../domain/point/point.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';

/** The results' sessions and matching passages. */
export interface Shown {
  sessions: Map<string, SessionPayload>;
  points: Map<string, StoredPoint['payload']>;
}

/** @param known what was fetched before */
export async function fetchShown(
  store: PointStore,
  wanted: Presented[],
  known: Shown = { sessions: new Map(), points: new Map() },
): Promise<Shown> {
  const sessionIds = wanted.map(({ session_id }) => session_id).filter((id) => !known.sessions.has(id));
  const [sessions, points] = await Promise.all([
    sessionIds.length > 0 ? store.getSessions(sessionIds) : [],
    fetchPassages(store, wanted, known.points),
  ]);
  const found = sessions.map((session) => [session.session_id, session] as const);
  return { sessions: new Map([...known.sessions, ...found]), points };
}

/** The results' matching passages. */
export async function fetchPassages(
  store: PointStore,
  wanted: Presented[],
  known: Shown['points'] = new Map(),
): Promise<Shown['points']> {
  const hits = wanted.flatMap(({ best }) => [
    best.chunkByWords,
    best.chunkByVector,
    best.chunkByWords === null && best.chunkByVector === null ? best.intent : null,
  ]);
  const ids = new Set(hits.flatMap((hit) => hit?.point_id ?? []).filter((id) => !known.has(id)));
  const points = ids.size > 0 ? await store.getPoints([...ids]) : [];
  return new Map([...known, ...points.map(({ id, payload }) => [id, payload] as const)]);
}
