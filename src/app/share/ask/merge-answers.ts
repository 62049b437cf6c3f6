import { badCursor } from '../../../domain/errors.ts';
import { MEMORY_LIMIT, type MemoryLists } from '../../../domain/memory/memory-search.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import {
  type Hit,
  type ListLimits,
  listLimits,
  type RankedLists,
  type SessionFilter,
} from '../../../domain/search/search.ts';
import type { FacetRow, Findings, SessionPage, StoreCounts } from '../../../ports/point-store.ts';

/** The filter, excluding these sessions. */
export function without(filter: SessionFilter, sessionIds: string[]): SessionFilter {
  if (sessionIds.length === 0) return filter;
  return { ...filter, excludeSessionIds: [...(filter.excludeSessionIds ?? []), ...sessionIds] };
}

/** The filter, restricted to these sessions. */
export function within(filter: SessionFilter, sessionIds: string[]): SessionFilter {
  const wanted = filter.sessionIds;
  return {
    ...filter,
    sessionIds: wanted === undefined ? sessionIds : sessionIds.filter((id) => wanted.includes(id)),
  };
}

/** @param limits default to those of the larger store. */
export function mergeFindings(remote: Findings, local: Findings, limits?: ListLimits): Findings {
  // Document frequencies of two collections cannot be added; those of the larger one are the better estimate.
  const { coverage, frequencies } = remote.coverage.chunks >= local.coverage.chunks ? remote : local;
  const most = limits ?? listLimits(coverage.sessions);
  return {
    ...remote,
    lists: mergeLists(remote.lists, local.lists, most),
    memory: remote.memory && local.memory ? mergeMemory(remote.memory, local.memory) : remote.memory,
    also: remote.also.map((lists, at) => mergeLists(lists, local.also[at] ?? lists, most)),
    coverage,
    frequencies,
    model: remote.model ?? local.model,
    chunkScores: [...remote.chunkScores, ...local.chunkScores],
  };
}

function mergeLists(one: RankedLists, other: RankedLists, limits: ListLimits): RankedLists {
  const merge = (list: keyof RankedLists, limit: number) => mergeHits(one[list], other[list], limit);
  return {
    sessionsByWords: merge('sessionsByWords', limits.sessions),
    chunksByWords: merge('chunksByWords', limits.chunks),
    chunksByVector: merge('chunksByVector', limits.chunks),
    intentsByVector: merge('intentsByVector', limits.intents),
  };
}

function mergeMemory(one: MemoryLists, other: MemoryLists): MemoryLists {
  const merge = (list: keyof MemoryLists) => mergeHits(one[list], other[list], MEMORY_LIMIT);
  return {
    ideasByWords: merge('ideasByWords'),
    ideasByVector: merge('ideasByVector'),
    spansByWords: merge('spansByWords'),
    spansByVector: merge('spansByVector'),
  };
}

function mergeHits(a: Hit[] | null, b: Hit[] | null, limit: number): Hit[] | null {
  if (a === null || b === null) return a ?? b;
  return [...a, ...b].sort((x, y) => y.score - x.score).slice(0, limit);
}

/** Merges two lists that are sorted newest first. */
export function mergeNewest<P extends { ended_at: string | null }>(one: P[], other: P[], limit: number): P[] {
  const end = ({ ended_at }: P) => ended_at ?? '';
  return [...one, ...other].sort((a, b) => (end(a) < end(b) ? 1 : end(a) > end(b) ? -1 : 0)).slice(0, limit);
}

export function mergeCounts(one: StoreCounts, other: StoreCounts): StoreCounts {
  return {
    sessions: one.sessions + other.sessions,
    chunks: one.chunks + other.chunks,
    intents: one.intents + other.intents,
    waiting: {
      intents: one.waiting.intents + other.waiting.intents,
      chunks: one.waiting.chunks + other.waiting.chunks,
    },
    memory: {
      ideas: one.memory.ideas + other.memory.ideas,
      spans: one.memory.spans + other.memory.spans,
      waiting: one.memory.waiting + other.memory.waiting,
    },
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

/** A cursor is a time and an id; each store writes the time in its own format. */
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
