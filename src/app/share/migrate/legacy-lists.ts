import { badCursor } from '../../../domain/bad-cursor.ts';
import type { FacetRow, PointStore, StoreCounts } from '../../../ports/point-store.ts';
import { byTime, identityOf, type LegacySession } from './legacy-sessions.ts';

/** What a point weighs there, about: 4 KB of text, and a vector. */
const POINT_BYTES = 6000;

/** A page of sessions that are newest first, and the place of its last one. */
export function pageSessions(
  sessions: LegacySession[],
  limit: number,
  cursor: string | undefined,
): { sessions: LegacySession[]; cursor: string | null } {
  const [, timestamp, session_id] = /^(|\d{4}-[^|]*)\|(.+)$/s.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && session_id === undefined) throw badCursor(cursor);
  const isLater = (session: LegacySession) =>
    session_id === undefined || byTime({ timestamp: timestamp || null, session_id }, session) < 0;
  const left = sessions.filter(isLater);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: page,
    cursor: left.length > limit && last !== undefined ? `${last.timestamp ?? ''}|${last.session_id}` : null,
  };
}

export function countSessions(sessions: LegacySession[], sameModel: boolean): StoreCounts {
  const chunks = sessions.reduce((sum, session) => sum + session.chunks, 0);
  const intents = sessions.reduce((sum, session) => sum + session.intents, 0);
  const points = chunks + intents;
  return {
    sessions: sessions.length,
    chunks,
    intents,
    vectors: sameModel ? points : 0,
    bytes: points * POINT_BYTES,
  };
}

export function facetSessions(
  field: Parameters<PointStore['facet']>[0],
  sessions: LegacySession[],
): FacetRow[] {
  const read: Record<typeof field, (session: LegacySession) => string | null> = {
    repo_name: ({ repo_name }) => repo_name,
    month: ({ timestamp }) => timestamp?.slice(0, 7) ?? null,
    agent: () => 'claude',
    machine: (session) => identityOf(session).machine,
    branch: () => null,
    tag: () => null,
  };
  const counts = new Map<string, number>();
  for (const value of sessions.map(read[field]))
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
}
