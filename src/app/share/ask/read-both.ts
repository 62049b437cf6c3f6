import type { SessionPayload } from '../../../domain/point/point.ts';
import { type Coverage, numbersIn, type SessionFilter } from '../../../domain/search/search.ts';
import { tagChange, withTagChange } from '../../../domain/tags/tag-change.ts';
import type { LocalStore, Outbox } from '../../../ports/outbox.ts';
import type { Findings, FindQuery, PointStore, SharedStore } from '../../../ports/point-store.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { localIds } from '../agree/local-ids.ts';
import { renameSessions } from '../agree/rename-sessions.ts';
import { type Ask, createFallback, type Patience } from './fall-back.ts';
import {
  mergeCounts,
  mergeFacets,
  mergeFindings,
  mergeNewest,
  mergePages,
  placeIn,
  within,
  without,
} from './merge-answers.ts';

interface BothStores {
  /** This machine's store. */
  bare: LocalStore;
  /** The server's store, with short timeouts because the user is waiting. */
  remote: () => Promise<RemoteStore>;
  outbox: Outbox;
  machine: string;
  /** How long one search waits for the server altogether, in milliseconds. */
  timeoutMs: number;
  now: () => number;
  /** For tests. */
  time?: Patience;
}

/** Maximum number of sessions searched here instead of on the server. */
const MAX_WAITING = 1000;

/**
 * Presents the server and this machine's store as one. Answers come from the server, except for sessions not sent yet, which come from
 * here. If the server does not answer, everything comes from here, `notices` says so, and the server is not asked again for a while.
 * Writes go to the local store and its outbox.
 */
export function readBoth(both: BothStores): SharedStore {
  const { remote, now, time, timeoutMs } = both;
  const server = createFallback({ remote, now }, time);
  const local = renameSessions(both.bare, both.outbox);
  return {
    ...storeOver(both, local, server.ask),
    forOneSearch: () => storeOver(both, local, server.within(timeoutMs)),
    listDamaged: local.listDamaged,
    notices: server.notices,
    outage: server.outage,
  };
}

function storeOver(both: BothStores, local: PointStore, ask: Ask): PointStore {
  const { bare, outbox, machine } = both;
  /** Sessions that the server lacks or has in an older state. */
  const waiting = () => outbox.waiting().slice(0, MAX_WAITING);
  /** The answers of both stores, each about its own sessions; only the local one while the server is unreachable. */
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
    chooseSessions({ local, outbox, machine }, ask, ids);
  const isCurrentHere = async (id: string): Promise<boolean> => {
    const [chosen] = await sessions([id]);
    const [here] = chosen === undefined ? [] : await local.getSessions([id]);
    return here !== undefined && here.content_hash === chosen?.content_hash;
  };
  const texts = async <T>(sessionId: string, read: (store: PointStore) => Promise<T>): Promise<T> => {
    const there = (await isCurrentHere(sessionId)) ? null : await ask(read);
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
    deleteSessions: async (ids) => {
      const known = (await sessions(ids)).map(({ session_id }) => session_id);
      const forgotten = { machine, forgottenAt: new Date(both.now()).toISOString() };
      // The entry comes first, so that after a crash between the two the tombstone reaches this machine as well.
      outbox.add(ids.map((sessionId) => ({ sessionId, removed: true, forgotten })));
      await bare.received.deleteSessions(ids.map(localIds(both)));
      return known.length;
    },
    async setTags(id, tags) {
      const [session] = await sessions([id]);
      const changed = session === undefined ? null : tagChange(session.tags, tags);
      if (changed === null) return;
      // Sending merges the changes of both machines and stores the result here.
      outbox.add([{ sessionId: id, tags: changed }]);
      await bare.received.setTags(localIds(both)(id), tags);
    },

    getSessions: (ids) => sessions(ids),
    async findByIdPrefix(prefix, limit) {
      const there = (await ask((remote) => remote.findByIdPrefix(prefix, limit)))?.answer ?? [];
      const here = await local.findByIdPrefix(prefix, limit);
      const ids = [...new Set([...there, ...here].map(({ session_id }) => session_id))].sort();
      const found = await sessions(ids);
      return found.sort((a, b) => (a.session_id < b.session_id ? -1 : 1)).slice(0, limit);
    },
    async getPoints(ids, options) {
      const there = (await ask((remote) => remote.getPoints(ids, options)))?.answer ?? [];
      const here = await local.getPoints(ids, options);
      const own = new Set(waiting());
      const fresh = here.filter(({ payload }) => own.has(payload.session_id));
      return [...new Map([...here, ...there, ...fresh].map((point) => [point.id, point])).values()];
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
    async find(query) {
      // A coverage from earlier is that of a single store, so with two stores each counts its own.
      const known = waiting().length > 0 ? null : (query.coverage ?? null);
      const found = await parted(
        query.memory === undefined ? query.filter : (query.memory.sessions ?? {}),
        async (store, filter) => {
          const asked = query.memory && { memory: { ...query.memory, sessions: filter } };
          const answer = await store.find({ ...query, filter, ...asked, coverage: known });
          return store === local ? { ...answer, ...refusalWithoutServer(query) } : answer;
        },
        (there, here) => mergeFindings(there, here, query.limits),
      );
      const waitsElsewhere =
        hasWaiting(found.coverage) && !hasWaiting(await bare.count()) && waiting().length === 0;
      return { ...found, shared: { waitsElsewhere } };
    },

    listMemory: (type, filter, limit) =>
      parted(
        filter.sessions ?? {},
        (store, sessions) => store.listMemory(type, { ...filter, sessions }, limit),
        (there, here) => mergeNewest(there, here, limit),
      ),

    pointsWithoutVector: (limit) => local.pointsWithoutVector(limit),
    setVectors: (model, items) => bare.setVectors(model, items),
    close: () => bare.close(),
  };
}

/** A query to be embedded by the server has no vector without it. */
function refusalWithoutServer({ vector }: FindQuery): Pick<Findings, 'vectorRefused'> {
  if (vector === null || numbersIn(vector) !== null) return {};
  return { vectorRefused: { message: 'only the server embeds', hint: null } };
}

function hasWaiting({ waiting }: Coverage): boolean {
  return waiting.intents + waiting.chunks > 0;
}

/**
 * The current state of sessions. Sessions of this machine are newest here, so they come from here, with the tags that all machines
 * see; others come from the server. Leaves out sessions forgotten here, even if the server still has them.
 */
async function chooseSessions(
  { local, outbox, machine }: { local: PointStore; outbox: Outbox; machine: string },
  ask: Ask,
  ids: string[],
): Promise<SessionPayload[]> {
  const there = (ids.length === 0 ? null : await ask((remote) => remote.getSessions(ids)))?.answer ?? [];
  const here = new Map((await local.getSessions(ids)).map((session) => [session.session_id, session]));
  const entries = new Map(outbox.get(ids).map((entry) => [entry.sessionId, entry]));
  const remote = new Map(there.map((session) => [session.session_id, session]));
  return [...new Set(ids)].flatMap((id) => {
    const [ours, theirs, entry] = [here.get(id), remote.get(id), entries.get(id)];
    if (theirs === undefined) return ours ?? [];
    if (ours === undefined && entry?.removed === true) return [];
    const tags = entry?.tags ? withTagChange(theirs.tags, entry.tags) : theirs.tags;
    const isOwn = entry !== undefined || theirs.machine === machine;
    if (ours === undefined || !isOwn) return { ...theirs, tags };
    return { ...ours, archived: theirs.archived || ours.archived, tags };
  });
}
