import { pointId } from '../../domain/point/point-id.ts';
import type { RemoteStore } from '../../ports/remote-store.ts';
import { checkCollection } from './collection/check-collection.ts';
import { readLayout } from './collection/read-layout.ts';
import { readRecord } from './collection/read-record.ts';
import {
  forgetSessions,
  handshake,
  liftTombstones,
  pointsOfSessions,
  readTombstones,
} from './collection/tombstones.ts';
import { type Connection, openConnection } from './http/connection.ts';
import { openServer } from './http/server.ts';
import { DEFAULT_BATCHES, type QdrantOptions } from './options.ts';
import { anyOf, is } from './schema/filters.ts';
import { findAtOnce } from './search/find-at-once.ts';
import { listMemory } from './search/find-memory.ts';
import { countPoints, facet, listSessions } from './search/list-sessions.ts';
import { findByIdPrefix, getChunks, getHashes, getPoints, getSessions } from './search/read-sessions.ts';
import { createRecentCounts } from './search/recent-counts.ts';
import { embedPending } from './vectors/embed-pending.ts';
import { pointsWithoutVector, setVectors } from './vectors/set-vectors.ts';
import { getArchive, hasArchive, putArchive, readManifests } from './write/archive-points.ts';
import { writeSessions } from './write/write-sessions.ts';

/**
 * A point store in a Qdrant collection, which is created on first use. Opening it sends nothing. docs/qdrant.md describes the points.
 *
 * Qdrant cannot meet one of the port's demands: if two machines write the same session at the same moment, its texts may be mixed.
 * One of the machines then gets a conflict and reads the session again, as after any conflict, which repairs it.
 * @throws SmartForkError CONFIG_INVALID for a malformed URL or key.
 */
export function openQdrantPointStore(options: QdrantOptions): RemoteStore {
  const server = openServer(options);
  const connection = openConnection(options, server, () => checkCollection(server, options));
  const batches = { ...DEFAULT_BATCHES, ...options.batches };
  const documents =
    options.refusals === undefined
      ? null
      : { model: options.model, refusals: options.refusals, address: connection.address };
  const context = { connection, chunking: options.chunking, batches, documents };
  const counts = createRecentCounts(options.size, options.now ?? Date.now);
  const finding = { documents, counts };
  /** A reader of the same handle sees what it wrote. */
  const changing = async <T>(write: Promise<T>): Promise<T> => write.finally(counts.forget);
  return {
    info: async () => {
      const { store_id, model, chunking, seal } = await readRecord(connection);
      return { storeId: store_id, model, chunking, seal: seal ?? null };
    },
    write: async (changes) => {
      const { conflicts, vectorsRefused } = await changing(writeSessions(context, changes, {}));
      return { conflicts, vectorsRefused };
    },
    send: (changes, along) => changing(writeSessions(context, changes, along)),
    deleteSessions: (ids) => changing(deleteSessions(connection, ids)),
    setTags: (sessionId, tags) => setTags(connection, sessionId, tags),
    getSessions: (ids) => getSessions(connection, ids),
    findByIdPrefix: (prefix, limit) => findByIdPrefix(connection, prefix, limit),
    getPoints: (ids, options) => getPoints(connection, ids, options),
    getChunks: (sessionId, from = 0) => getChunks(connection, sessionId, from),
    getHashes: (sessionId) => getHashes(connection, sessionId),
    list: (filter, limit, cursor) => listSessions(connection, filter, limit, cursor),
    count: (filter = {}, { exact = false } = {}) =>
      countPoints(connection, filter, { dimensions: options.model.dimensions, exact }),
    facet: (field, filter = {}) => facet(connection, field, filter),
    find: (query) => findAtOnce(connection, finding, query),
    listMemory: (type, filter, limit) => listMemory(connection, type, filter, limit),
    pointsWithoutVector: (limit) => pointsWithoutVector(connection, limit),
    setVectors: (model, items) => changing(setVectors(connection, batches, model, items)),
    embedding:
      documents === null
        ? undefined
        : {
            model: documents.model,
            embedPending: (limit, signal) => changing(embedPending(connection, documents, limit, signal)),
          },
    describe: async () => {
      const version = await connection.check();
      return { address: connection.address, collection: options.collection, version };
    },
    layout: () => readLayout(connection),
    handshake: () => handshake(connection),
    forgetSessions: (tombstones) => changing(forgetSessions(connection, tombstones)),
    liftTombstones: (ids) => liftTombstones(connection, ids),
    tombstones: (ids) => readTombstones(connection, ids),
    putArchive: (points) => putArchive(connection, batches, points),
    getArchive: (ids) => getArchive(connection, ids),
    hasArchive: (ids) => hasArchive(connection, ids),
    manifests: (of) => readManifests(connection, of),
    notices: () => connection.damage.notices(),
    noteDamage: connection.damage.note,
    close: async () => connection.close(),
  };
}

/** Deletes all points of the sessions, transcript parts included. Resolves to the number of sessions. */
async function deleteSessions(connection: Connection, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const ofSessions = anyOf('session_id', ids);
  const count = await connection.count({ must: [is('type', 'session'), ofSessions] });
  await connection.deletePoints(pointsOfSessions(ids));
  return count;
}

/** All points of a session repeat its tags. */
async function setTags(connection: Connection, sessionId: string, tags: string[]): Promise<void> {
  const id = pointId(sessionId, 'session');
  await connection.update([
    { set_payload: { payload: { session_tags: tags }, filter: { must: [is('session_id', sessionId)] } } },
    { set_payload: { payload: { tags }, filter: { must: [{ has_id: [id] }] } } },
  ]);
}
