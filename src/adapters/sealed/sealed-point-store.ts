import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import {
  numbersIn,
  type SessionFilter,
  type StoredPoint,
  type TokenStatistics,
} from '../../domain/search/search.ts';
import type { FacetRow, PointStore, SessionChange } from '../../ports/point-store.ts';
import { sealFilter } from './seal-filter.ts';
import { openSession, openTextPoint, sealSession, sealTags, sealText } from './seal-payload.ts';
import type { Sealer } from './sealer.ts';

/** Requests at once. */
const PARALLEL = 8;

/**
 * A store whose texts are sealed before another store gets them, and opened when they come back. That store is handed
 * opaque words, which it can compare, count and order as it would the plain ones; docs/privacy.md says what it still learns.
 * Every method stands here by itself: one that was handed on unseen could hand on plain text. For the same reason the store
 * behind is never asked to embed one.
 * @param inner was opened with the sealer's key (StoreInfo.seal): it refuses points that another key sealed, or none.
 * @throws SmartForkError STORE_INCOMPATIBLE for what cannot be opened: it was changed, moved, or sealed with another key.
 */
export function sealStore(sealer: Sealer, inner: PointStore): PointStore {
  const session = (stored: SessionPayload) => openSession(sealer, stored);
  const sealed = (filter: SessionFilter = {}) => sealFilter(sealer, filter);
  const asked = (wanted: string[]) => {
    const ids = new Set(wanted);
    return (stored: SessionPayload) => expectSession(session(stored), ids);
  };
  return {
    info: () => inner.info(),
    write: (changes) => inner.write(changes.map((change) => sealChange(sealer, change))),
    deleteSessions: (ids) => inner.deleteSessions(ids),
    setTags: (sessionId, tags) => inner.setTags(sessionId, sealTags(sealer, tags)),
    getSession: async (sessionId) => {
      const stored = await inner.getSession(sessionId);
      return stored === null ? null : asked([sessionId])(stored);
    },
    getSessions: async (ids) => (await inner.getSessions(ids)).map(asked(ids)),
    findByIdPrefix: async (prefix, limit) => (await inner.findByIdPrefix(prefix, limit)).map(session),
    getPoints: async (ids) => (await inner.getPoints(ids)).map((point) => openPoint(sealer, point)),
    getChunks: async (sessionId, from) =>
      (await inner.getChunks(sessionId, from)).map((stored) => {
        const chunk = openTextPoint(sealer, stored);
        return expectSession(chunk, new Set([sessionId]));
      }),
    getHashes: async (sessionId) => {
      const hashes = await inner.getHashes(sessionId);
      return new Map(Array.from(hashes, ([id, hash]) => [id, sealer.openHash(id, hash)]));
    },
    list: async (filter, limit, cursor) => {
      const page = await inner.list(sealed(filter), limit, cursor);
      return { ...page, sessions: page.sessions.map(session) };
    },
    count: (filter) => inner.count(sealed(filter)),
    facet: async (field, filter) => openFacet(sealer, inner, field, await inner.facet(field, sealed(filter))),
    search: (query) =>
      inner.search({
        ...query,
        tokens: query.tokens?.map(sealer.keyToken) ?? null,
        vector: numbersIn(query.vector),
        filter: sealed(query.filter),
      }),
    ...(inner.find && { find: sealFind(sealer, inner.find) }),
    scoreChunks: async (ids, vector) => {
      const numbers = numbersIn(vector);
      return numbers === null ? [] : inner.scoreChunks(ids, numbers);
    },
    tokenStatistics: async (tokens, of) =>
      openStatistics(sealer, tokens, await inner.tokenStatistics(tokens.map(sealer.keyToken), of)),
    pointsWithoutVector: async (limit) =>
      (await inner.pointsWithoutVector(limit)).map(({ id, payload }) => ({
        id,
        payload: openTextPoint(sealer, payload, id),
      })),
    countWithoutVector: () => inner.countWithoutVector(),
    setVectors: (model, vectors) =>
      inner.setVectors(
        model,
        vectors.map((one) => ({ ...one, contentHash: sealer.sealHash(one.id, one.contentHash) })),
      ),
    getVectors: (ids) => inner.getVectors(ids),
    refresh: (signal) => inner.refresh(signal),
    notices: () => inner.notices?.() ?? [],
    close: () => inner.close(),
  };
}

function sealFind(sealer: Sealer, find: NonNullable<PointStore['find']>): NonNullable<PointStore['find']> {
  return async (query) => {
    const found = await find({
      ...query,
      tokens: query.tokens?.map(sealer.keyToken) ?? null,
      vector: numbersIn(query.vector),
      words: query.words.map(sealer.keyToken),
      filter: sealFilter(sealer, query.filter),
    });
    const { statistics } = found;
    return {
      ...found,
      statistics: { ...statistics, chunksWith: plainCounts(sealer, query.words, statistics.chunksWith) },
      sessions: found.sessions.map((stored) => openSession(sealer, stored)),
      points: found.points.map(({ id, payload }) => ({ id, payload: openTextPoint(sealer, payload, id) })),
    };
  };
}

/** Every token of a stream by its key. */
export function keyStream(sealer: Sealer, stream: string): string {
  return stream
    .split(' ')
    .map((token) => (token === '' ? '' : sealer.keyToken(token)))
    .join(' ');
}

export function sealChange(sealer: Sealer, change: SessionChange): SessionChange {
  const keyed = (tokens: string | null) => (tokens === null ? null : keyStream(sealer, tokens));
  return {
    session: sealSession(sealer, change.session),
    upserts: change.upserts.map(({ point, tokens }) => ({
      point: sealText(sealer, point),
      tokens: keyed(tokens),
    })),
    deletes: change.deletes,
    expected: change.expected === null ? null : sealer.sealHash(change.session.id, change.expected),
    tokens: keyed(change.tokens),
  };
}

function openPoint(sealer: Sealer, { id, payload, hasVector }: StoredPoint): StoredPoint {
  const opened =
    payload.type === 'session' ? openSession(sealer, payload) : openTextPoint(sealer, payload, id);
  return { id, payload: opened, hasVector };
}

/** A server could hand out one session for another. */
function expectSession<T extends { session_id: string }>(opened: T, ids: Set<string>): T {
  if (ids.has(opened.session_id)) return opened;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store answered with session ${opened.session_id}, which was not asked for`,
    { hint: 'Something has been changed on the server: look who may write to it.' },
  );
}

async function openFacet(
  sealer: Sealer,
  inner: PointStore,
  field: Parameters<PointStore['facet']>[0],
  rows: FacetRow[],
): Promise<FacetRow[]> {
  if (field === 'month') return rows;
  const opened =
    field === 'repo_name'
      ? await nameRepositories(sealer, inner, rows)
      : rows.map(({ value, count }) => ({ value: sealer.openName(field, value), count }));
  return opened.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** Names of repositories are compared in any case, so what stands for one cannot be opened: one of its sessions tells it. */
async function nameRepositories(sealer: Sealer, inner: PointStore, rows: FacetRow[]): Promise<FacetRow[]> {
  const named: FacetRow[] = [];
  for (let at = 0; at < rows.length; at += PARALLEL) {
    const some = rows.slice(at, at + PARALLEL).map(async ({ value, count }) => {
      const { sessions } = await inner.list({ repo: { repo_name: value } }, 1);
      return sessions.map((stored) => ({ value: openSession(sealer, stored).repo_name, count }));
    });
    named.push(...(await Promise.all(some)).flat());
  }
  return named;
}

function openStatistics(sealer: Sealer, tokens: string[], statistics: TokenStatistics): TokenStatistics {
  return {
    ...statistics,
    sessionsWith: plainCounts(sealer, tokens, statistics.sessionsWith),
    chunksWith: plainCounts(sealer, tokens, statistics.chunksWith),
  };
}

function plainCounts(sealer: Sealer, tokens: string[], counts: Map<string, number>): Map<string, number> {
  return new Map(
    tokens.flatMap((token): [string, number][] => {
      const count = counts.get(sealer.keyToken(token));
      return count === undefined ? [] : [[token, count]];
    }),
  );
}
