import type { SessionPayload } from '../../../domain/point/point.ts';
import type { RankedLists, SessionFilter } from '../../../domain/search/search.ts';
import type { LocalStore, Outbox } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { changeTags, forgetSessions } from '../agree/change-both.ts';
import { localIds } from '../agree/local-ids.ts';
import { renameSessions } from '../agree/rename-sessions.ts';
import { chooseSessions } from '../migrate/choose-sessions.ts';
import { type AskRemote, createFallback, type Patience } from './fall-back.ts';
import {
  mergeCounts,
  mergeFacets,
  mergeLists,
  mergePages,
  placeIn,
  within,
  without,
} from './merge-answers.ts';
import { createReading, MOST_WAITING, nothingSeen, type Seen } from './read-once.ts';

export interface BothStores {
  /** This machine's. */
  bare: LocalStore;
  /** The server, impatiently: a reader waits for it. */
  remote: () => Promise<RemoteStore>;
  outbox: Outbox;
  machine: string;
  /** How long a search waits for the server in all, ms. */
  timeoutMs: number;
  now: () => number;
  /** Another time than the real one. */
  time?: Patience;
}

/**
 * The server and this machine's store as one. Answers come from the server, with what waits to be sent from here; and from
 * here alone when the server does not answer: then `notices` says so, and for a while it is not asked again. What is
 * written goes to the local store, which records it in the outbox.
 */
export function readBoth(both: BothStores): PointStore {
  const { remote, now, time } = both;
  const server = createFallback({ remote, now }, time);
  const local = renameSessions(both.bare, both.outbox);
  const { notices } = server;
  return {
    ...storeOver(both, local, server.ask, nothingSeen()),
    notices,
    reading() {
      const [once, seen] = [server.within(both.timeoutMs), nothingSeen()];
      const store = { ...storeOver(both, local, once, seen), notices };
      return createReading(both, { store, local, ask: once, seen });
    },
  };
}

function storeOver(both: BothStores, local: PointStore, ask: AskRemote, seen: Seen): PointStore {
  const { bare, outbox, machine } = both;
  /** Sessions that the server has not, or not as they are by now. */
  const waiting = () => outbox.waiting().slice(0, MOST_WAITING);
  /** The answers of both, each about its own sessions; the local one alone when nothing else can be had. */
  const parted = async <T>(
    filter: SessionFilter,
    read: (store: PointStore, filter: SessionFilter) => Promise<T>,
    merge: (remote: T, local: T) => T,
  ): Promise<T> => {
    const own = waiting();
    const there = await ask((remote) => read(remote, without(filter, own)));
    if (there === null) return read(local, filter);
    return own.length === 0 ? there.answer : merge(there.answer, await read(local, within(filter, own)));
  };
  const sessions = (ids: string[]): Promise<SessionPayload[]> =>
    chooseSessions({ local, outbox, machine }, ask, ids, seen.sessions);
  /** Those of the sessions that are there. */
  const deletable = async (ids: string[]): Promise<string[]> => {
    const known = (await sessions(ids)).map(({ session_id }) => session_id);
    return known;
  };
  /** Where a session's texts are read. */
  const placeOf = async (sessionId: string): Promise<PointStore | null> => {
    const chosen = (await sessions([sessionId]))[0];
    const here = chosen === undefined ? null : await local.getSession(sessionId);
    return here !== null && here.content_hash === chosen?.content_hash ? local : null;
  };
  const texts = async <T>(sessionId: string, read: (store: PointStore) => Promise<T>): Promise<T> => {
    const place = await placeOf(sessionId);
    const there = place === null ? await ask(read) : null;
    return there === null ? read(local) : there.answer;
  };

  return {
    async info() {
      const [there, here] = [await ask((remote) => remote.info()), await local.info()];
      if (there === null) return here;
      const { model, chunking } = there.answer;
      return { ...there.answer, model: model ?? here.model, chunking: chunking ?? here.chunking };
    },
    write: (changes) => bare.write(changes),
    async checkDeletion(ids) {
      await deletable(ids);
    },
    deleteSessions: async (ids) => {
      const known = await deletable(ids);
      await forgetSessions(both, known, localIds(both));
      return known.length;
    },
    async setTags(id, tags) {
      const session = (await sessions([id]))[0] ?? null;
      await changeTags(both, session, tags, localIds(both));
    },

    getSession: async (id) => (await sessions([id]))[0] ?? null,
    getSessions: sessions,
    async findByIdPrefix(prefix, limit) {
      const there = (await ask((remote) => remote.findByIdPrefix(prefix, limit)))?.answer ?? [];
      const here = await local.findByIdPrefix(prefix, limit);
      const ids = [...new Set([...there, ...here].map(({ session_id }) => session_id))].sort();
      const found = await sessions(ids);
      return found.sort((a, b) => (a.session_id < b.session_id ? -1 : 1)).slice(0, limit);
    },
    async getPoints(ids) {
      const missing = ids.filter((id) => !seen.points.has(id));
      const more = missing.length === 0 ? null : await ask((remote) => remote.getPoints(missing));
      const there = [...ids.flatMap((id) => seen.points.get(id) ?? []), ...(more?.answer ?? [])];
      const here = await local.getPoints(ids);
      const own = new Set(waiting());
      const fresh = here.filter(({ payload }) => own.has(payload.session_id));
      const known = new Set([...fresh, ...there].map(({ id }) => id));
      return [
        ...fresh,
        ...there.filter(({ id }) => !fresh.some((point) => point.id === id)),
        ...here.filter(({ id }) => !known.has(id)),
      ];
    },
    getChunks: (id, from) => texts(id, (store) => store.getChunks(id, from)),
    getHashes: (id) => texts(id, (store) => store.getHashes(id)),
    list: (filter, limit, cursor) =>
      parted(
        filter,
        (store, some) => store.list(some, limit, placeIn(store === local ? 'local' : 'remote', cursor)),
        (there, here) => mergePages(there, here, limit),
      ),
    count: (filter = {}) => parted(filter, (store, some) => store.count(some), mergeCounts),
    facet: (field, filter = {}) =>
      parted(
        filter,
        (store, some) => store.facet(field, some),
        (there, here) => mergeFacets(there, here, field === 'month'),
      ),

    search: (query) =>
      parted(
        query.filter,
        (store, filter) => store.search({ ...query, filter }),
        (there, here): RankedLists => mergeLists(there, here, query.limits),
      ),
    async scoreChunks(ids, vector) {
      const own = new Set(waiting());
      const there = await ask((remote) =>
        remote.scoreChunks(
          ids.filter((id) => !own.has(id)),
          vector,
        ),
      );
      if (there === null) return local.scoreChunks(ids, vector);
      const here = ids.filter((id) => own.has(id));
      return here.length === 0 ? there.answer : [...there.answer, ...(await local.scoreChunks(here, vector))];
    },
    async tokenStatistics(tokens, of) {
      const { statistics } = seen;
      if (
        of === 'chunks' &&
        tokens.every((token) => statistics?.chunksWith.has(token)) &&
        statistics !== null
      )
        return { ...statistics, sessionsWith: new Map() };
      const there = await ask((remote) => remote.tokenStatistics(tokens, of));
      if (there !== null && waiting().length === 0) return there.answer;
      const here = await local.tokenStatistics(tokens, of);
      // Two collections' frequencies do not add up; the larger one's are the better guess.
      return there !== null && there.answer.chunkCount >= here.chunkCount ? there.answer : here;
    },

    pointsWithoutVector: (limit) => local.pointsWithoutVector(limit),
    async countWithoutVector() {
      const there = await ask((remote) => remote.countWithoutVector());
      if (there !== null && waiting().length === 0) return there.answer;
      const here = await local.countWithoutVector();
      if (there === null) return here;
      const { intents, chunks } = there.answer;
      return { intents: Math.max(intents, here.intents), chunks: Math.max(chunks, here.chunks) };
    },
    async needsIndexing() {
      const { intents, chunks } = await bare.countWithoutVector();
      return intents + chunks > 0 || waiting().length > 0;
    },
    setVectors: (model, items) => bare.setVectors(model, items),
    async getVectors(ids) {
      const there = await ask((remote) => remote.getVectors(ids));
      return new Map([...(await local.getVectors(ids)), ...(there?.answer ?? [])]);
    },
    refresh: (signal) => bare.refresh(signal),
    close: () => bare.close(),
  };
}
