import type { Hit, SessionFilter } from '../../../domain/search/search.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';

type Reading = Pick<
  PointStore,
  | 'getSessions'
  | 'findByIdPrefix'
  | 'getPoints'
  | 'getChunks'
  | 'getHashes'
  | 'list'
  | 'count'
  | 'facet'
  | 'find'
>;

/** The local store with the ids sessions have on the server: a copy that diverged has another id there. */
export function renameSessions(local: PointStore, outbox: Outbox): PointStore {
  return { ...local, ...readingOf(local, () => namesOf(outbox)) };
}

interface Names {
  here(id: string): string;
  there(id: string): string;
}

function namesOf(outbox: Outbox): Names {
  const renamed = outbox.renamed();
  const there = new Map(renamed.map(({ sessionId, remoteId }) => [sessionId, remoteId]));
  const here = new Map(renamed.map(({ sessionId, remoteId }) => [remoteId, sessionId]));
  return {
    there: (id) => there.get(id) ?? id,
    // Its old id there belongs to another machine's session.
    here: (id) => here.get(id) ?? (there.has(id) ? '' : id),
  };
}

function readingOf(local: PointStore, names: () => Names): Reading {
  const renamed = <T extends { session_id: string }>(items: T[]): T[] => {
    const { there } = names();
    return items.map((item) => ({ ...item, session_id: there(item.session_id) }));
  };
  const filtered = (filter: SessionFilter): SessionFilter => {
    const { here } = names();
    const { sessionIds, excludeSessionIds, ...rest } = filter;
    return {
      ...rest,
      ...(sessionIds && { sessionIds: sessionIds.map(here) }),
      ...(excludeSessionIds && { excludeSessionIds: excludeSessionIds.map(here) }),
    };
  };
  return {
    getSessions: async (ids) => renamed(await local.getSessions(ids.map(names().here))),
    findByIdPrefix: async (prefix, limit) =>
      renamed(await local.findByIdPrefix(prefix.split('@')[0] ?? '', limit)).filter(({ session_id }) =>
        session_id.startsWith(prefix),
      ),
    getPoints: async (ids, options) => {
      const { there } = names();
      return (await local.getPoints(ids, options)).map((point) => ({
        ...point,
        payload: { ...point.payload, session_id: there(point.payload.session_id) },
      }));
    },
    getChunks: async (id, from) => renamed(await local.getChunks(names().here(id), from)),
    getHashes: (id) => local.getHashes(names().here(id)),
    list: async (filter, limit, cursor) => {
      const page = await local.list(filtered(filter), limit, cursor);
      return { ...page, sessions: renamed(page.sessions) };
    },
    count: (filter = {}) => local.count(filtered(filter)),
    facet: (field, filter = {}) => local.facet(field, filtered(filter)),
    find: async (query) => {
      const { lists, ...found } = await local.find({ ...query, filter: filtered(query.filter) });
      const named = (list: Hit[] | null) => list && renamed(list);
      return {
        ...found,
        lists: {
          sessionsByWords: named(lists.sessionsByWords),
          chunksByWords: named(lists.chunksByWords),
          chunksByVector: named(lists.chunksByVector),
          intentsByVector: named(lists.intentsByVector),
        },
        chunkScores: renamed(found.chunkScores),
      };
    },
  };
}
