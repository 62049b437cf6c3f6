import type { IdeaCounts, MemoryStats } from '../../domain/memory/memory-result.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { CommitDependencies } from './commits-since.ts';
import { ideasInReach, MAX_COMPARED, OPEN_KINDS, openIdeas } from './list-open.ts';

const MAX_ENTITIES = 20;

/** Counts the ideas and topics of matching sessions. */
export async function memoryStats(
  deps: CommitDependencies & { store: PointStore },
  filter: SessionFilter = {},
): Promise<MemoryStats> {
  const { store } = deps;
  const [counts, kinds, entities, found] = await Promise.all([
    store.count(filter),
    store.facet('kind', filter),
    store.facet('entity', filter),
    store.listMemory('idea', { sessions: filter }, MAX_COMPARED),
  ]);
  const { ideas, spans, waiting } = counts.memory;
  const around = await ideasInReach(deps, found, filter);
  return {
    sessions: counts.sessions,
    ideas,
    topics: spans,
    open: openIdeas(found, { kinds: OPEN_KINDS, around }).open.length,
    waiting,
    by_kind: kinds,
    // A session is not about the errors in it.
    by_entity: entities.filter(({ value }) => !value.startsWith('error:')).slice(0, MAX_ENTITIES),
  };
}

/** Counts all ideas. Open todos are counted among the newest 20,000. */
export async function countIdeas(store: Pick<PointStore, 'count' | 'listMemory'>): Promise<IdeaCounts> {
  const { memory } = await store.count();
  const ideas = await store.listMemory('idea', {}, MAX_COMPARED);
  return {
    all: memory.ideas,
    open_todos: openIdeas(ideas, { kinds: ['todo'] }).open.length,
  };
}
