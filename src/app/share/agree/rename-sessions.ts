import { type MemoryFilter, mapMemoryLists } from '../../../domain/memory/memory-search.ts';
import { mapLists, type RankedLists, type SessionFilter } from '../../../domain/search/search.ts';
import type { LocalStore, Outbox } from '../../../ports/outbox.ts';
import type { DamageReader, PointStore } from '../../../ports/point-store.ts';
import { localIds, remoteIds } from './local-ids.ts';

/** The local store with the ids that sessions have on the server, where a diverged copy has another id. */
export function renameSessions(local: LocalStore, outbox: Outbox): PointStore & DamageReader {
  const here = (ids: string[]) => ids.map(localIds({ outbox }));
  const renamed = <T extends { session_id: string }>(items: T[]): T[] => {
    const there = remoteIds({ outbox });
    return items.map((item) => ({ ...item, session_id: there(item.session_id) }));
  };
  const filtered = (filter: SessionFilter): SessionFilter => ({
    ...filter,
    sessionIds: filter.sessionIds && here(filter.sessionIds),
    excludeSessionIds: filter.excludeSessionIds && here(filter.excludeSessionIds),
  });
  const ofMemory = (filter: MemoryFilter): MemoryFilter => ({
    ...filter,
    sessions: filtered(filter.sessions ?? {}),
  });
  return {
    ...local,
    getSessions: async (ids) => renamed(await local.getSessions(here(ids))),
    findByIdPrefix: async (prefix, limit) =>
      renamed(await local.findByIdPrefix(prefix.split('@')[0] ?? '', limit)).filter(({ session_id }) =>
        session_id.startsWith(prefix),
      ),
    getPoints: async (ids, options) => {
      const there = remoteIds({ outbox });
      return (await local.getPoints(ids, options)).map((point) => ({
        ...point,
        payload: { ...point.payload, session_id: there(point.payload.session_id) },
      }));
    },
    getChunks: async (id, from) => renamed(await local.getChunks(localIds({ outbox })(id), from)),
    getHashes: (id) => local.getHashes(localIds({ outbox })(id)),
    list: async (filter, limit, cursor) => {
      const page = await local.list(filtered(filter), limit, cursor);
      return { ...page, sessions: renamed(page.sessions) };
    },
    count: (filter = {}) => local.count(filtered(filter)),
    facet: (field, filter = {}) => local.facet(field, filtered(filter)),
    find: async (query) => {
      const memory = query.memory && ofMemory(query.memory);
      const found = await local.find({ ...query, filter: filtered(query.filter), memory });
      const named = (lists: RankedLists) => mapLists(lists, renamed);
      return {
        ...found,
        lists: named(found.lists),
        memory: found.memory && mapMemoryLists(found.memory, renamed),
        also: found.also.map(named),
        chunkScores: renamed(found.chunkScores),
      };
    },
    listDamaged: async (filter) => renamed(await local.listDamaged(filtered(filter))),
    listMemory: async (type, filter, limit) => renamed(await local.listMemory(type, ofMemory(filter), limit)),
  };
}
