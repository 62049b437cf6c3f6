import type { SessionFilter } from '../../../domain/search/search.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';

type Reading = Pick<
  PointStore,
  | 'getSession'
  | 'getSessions'
  | 'findByIdPrefix'
  | 'getPoints'
  | 'getChunks'
  | 'getHashes'
  | 'list'
  | 'count'
  | 'facet'
  | 'search'
  | 'scoreChunks'
>;

/** The local store with the ids of the server: a copy that diverged has another id there. */
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
    // Under its old id it is another machine's.
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
  const getSessions: PointStore['getSessions'] = async (ids) =>
    renamed(await local.getSessions(ids.map(names().here)));
  return {
    getSessions,
    getSession: async (id) => (await getSessions([id]))[0] ?? null,
    findByIdPrefix: async (prefix, limit) =>
      renamed(await local.findByIdPrefix(prefix.split('@')[0] ?? '', limit)).filter(({ session_id }) =>
        session_id.startsWith(prefix),
      ),
    getPoints: async (ids) => {
      const { there } = names();
      return (await local.getPoints(ids)).map((point) => ({
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
    search: async (query) => {
      const lists = await local.search({ ...query, filter: filtered(query.filter) });
      const named = (list: typeof lists.chunksByWords) => (list === null ? null : renamed(list));
      return {
        sessionsByWords: named(lists.sessionsByWords),
        chunksByWords: named(lists.chunksByWords),
        chunksByVector: named(lists.chunksByVector),
        intentsByVector: named(lists.intentsByVector),
      };
    },
    scoreChunks: async (ids, vector) => renamed(await local.scoreChunks(ids.map(names().here), vector)),
  };
}
