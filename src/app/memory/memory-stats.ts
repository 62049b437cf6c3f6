import type { MemoryStats } from '../../domain/memory/memory-result.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';

const MOST_ENTITIES = 20;
const MOST_OPEN = 20_000;

/** What was taken from the sessions that match. */
export async function memoryStats(store: PointStore, filter: SessionFilter = {}): Promise<MemoryStats> {
  const [counts, kinds, entities, open] = await Promise.all([
    store.count(filter),
    store.facet('kind', filter),
    store.facet('entity', filter),
    store.listMemory('idea', { sessions: filter, open: true }, MOST_OPEN),
  ]);
  const { ideas, spans, waiting } = counts.memory;
  return {
    sessions: counts.sessions,
    ideas,
    topics: spans,
    open: open.length,
    waiting,
    by_kind: kinds,
    by_entity: entities.slice(0, MOST_ENTITIES),
  };
}
