import { badCursor } from '../../../domain/bad-cursor.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Hit, RankedLists, SessionFilter, StoreQuery } from '../../../domain/search/search.ts';
import type { FacetRow, SessionPage, StoreCounts } from '../../../ports/point-store.ts';

/** The filter for a store that is not asked for these sessions. */
export function without(filter: SessionFilter, sessionIds: string[]): SessionFilter {
  if (sessionIds.length === 0) return filter;
  return { ...filter, excludeSessionIds: [...(filter.excludeSessionIds ?? []), ...sessionIds] };
}

/** The filter for a store that is asked for these sessions only. */
export function within(filter: SessionFilter, sessionIds: string[]): SessionFilter {
  const wanted = filter.sessionIds;
  return {
    ...filter,
    sessionIds: wanted === undefined ? sessionIds : sessionIds.filter((id) => wanted.includes(id)),
  };
}

export function mergeLists(one: RankedLists, other: RankedLists, limits: StoreQuery['limits']): RankedLists {
  const merge = (list: keyof RankedLists, limit: number): Hit[] | null => {
    const [a, b] = [one[list], other[list]];
    if (a === null || b === null) return a ?? b;
    return [...a, ...b].sort((x, y) => y.score - x.score).slice(0, limit);
  };
  return {
    sessionsByWords: merge('sessionsByWords', limits.sessions),
    chunksByWords: merge('chunksByWords', limits.chunks),
    chunksByVector: merge('chunksByVector', limits.chunks),
    intentsByVector: merge('intentsByVector', limits.intents),
  };
}

export function mergeCounts(one: StoreCounts, other: StoreCounts): StoreCounts {
  return {
    sessions: one.sessions + other.sessions,
    chunks: one.chunks + other.chunks,
    intents: one.intents + other.intents,
    vectors: one.vectors + other.vectors,
    bytes: Math.max(one.bytes, other.bytes),
  };
}

export function mergeFacets(one: FacetRow[], other: FacetRow[], inOrder: boolean): FacetRow[] {
  const counts = new Map<string, number>();
  for (const { value, count } of [...one, ...other]) counts.set(value, (counts.get(value) ?? 0) + count);
  const rows = [...counts].map(([value, count]) => ({ value, count }));
  const byValue = (a: FacetRow, b: FacetRow) => (a.value < b.value ? -1 : 1);
  return rows.sort((a, b) => (inOrder ? byValue(a, b) : b.count - a.count || byValue(a, b)));
}

export function mergePages(one: SessionPage, other: SessionPage, limit: number): SessionPage {
  const all = [...one.sessions, ...other.sessions].sort(byPlace);
  const sessions = all.slice(0, limit);
  const last = sessions.at(-1);
  const more = all.length > limit || one.cursor !== null || other.cursor !== null;
  return {
    sessions,
    cursor: more && last !== undefined ? `${last.ended_at ?? ''}|${last.session_id}` : null,
  };
}

/** Stores write a place as a time and an id, each the time in its own way. */
export function placeIn(store: 'local' | 'remote', cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [, time = '', id] = /^(\d+|\d{4}-[^|]*|)\|(.+)$/.exec(cursor) ?? [];
  if (id === undefined) throw badCursor(cursor);
  const ms = /^\d+$/.test(time) ? Number(time) : Date.parse(time) || 0;
  return `${store === 'remote' ? ms : ms === 0 ? '' : new Date(ms).toISOString()}|${id}`;
}

function byPlace(a: SessionPayload, b: SessionPayload): number {
  const [one, other] = [a.ended_at ?? '', b.ended_at ?? ''];
  if (one !== other) return one < other ? 1 : -1;
  return a.session_id < b.session_id ? 1 : -1;
}
