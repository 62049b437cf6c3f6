import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import {
  numbersIn,
  type Phrasing,
  type SessionFilter,
  type StoredPoint,
} from '../../domain/search/search.ts';
import type { FacetRow, Findings, FindQuery, PointStore, SessionChange } from '../../ports/point-store.ts';
import { sealFilter, sealMemoryFilter } from './seal-filter.ts';
import { sealSession, sealTags, sealText, unsealSession, unsealText } from './seal-payload.ts';
import type { Sealer } from './sealer.ts';

/** Concurrent requests. */
const PARALLEL = 8;

/**
 * Seals texts before they reach the inner store and opens them on the way back. Names and tokens become opaque strings, which the
 * inner store can still compare, count and sort; docs/privacy.md says what it learns. Every method is written out, because a
 * method passed through could leak plain text. For the same reason the inner store never embeds.
 * @param inner opened with the sealer's key (StoreInfo.seal): it refuses plain points and points sealed with another key.
 * @param damaged called with what was left out because it could not be opened.
 * @throws SmartForkError STORE_INCOMPATIBLE if nothing of an answer can be opened: changed, moved, or sealed with another key.
 */
export function sealStore(sealer: Sealer, inner: PointStore, damaged: Damaged = () => undefined): PointStore {
  const session = (stored: SessionPayload) => unsealSession(sealer, stored);
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
    getSessions: async (ids) => openEach(await inner.getSessions(ids), asked(ids), damaged),
    findByIdPrefix: async (prefix, limit) =>
      openEach(await inner.findByIdPrefix(prefix, limit), session, damaged),
    getPoints: async (ids, options) =>
      openEach(
        await inner.getPoints(ids, options),
        (point) => openPoint(sealer, point),
        ({ payload }) => damaged(payload),
      ),
    getChunks: async (sessionId, from) =>
      (await inner.getChunks(sessionId, from)).map((stored) => {
        const chunk = unsealText(sealer, stored);
        return expectSession(chunk, new Set([sessionId]));
      }),
    getHashes: async (sessionId) => {
      const hashes = await inner.getHashes(sessionId);
      return new Map(Array.from(hashes, ([id, hash]) => [id, sealer.openHash(id, hash)]));
    },
    list: async (filter, limit, cursor) => {
      const page = await inner.list(sealed(filter), limit, cursor);
      return { ...page, sessions: openEach(page.sessions, session, damaged) };
    },
    count: (filter, options) => inner.count(sealed(filter), options),
    facet: async (field, filter) => openFacet(sealer, inner, field, await inner.facet(field, sealed(filter))),
    find: (query) => findSealed(sealer, inner, query),
    listMemory: async (type, filter, limit) =>
      openEach(
        await inner.listMemory(type, sealMemoryFilter(sealer, filter), limit),
        (stored) => unsealText(sealer, stored),
        damaged,
      ),
    pointsWithoutVector: async (limit) =>
      openEach(
        await inner.pointsWithoutVector(limit),
        ({ id, payload }) => ({ id, payload: unsealText(sealer, payload, id) }),
        ({ payload }) => damaged(payload),
      ),
    setVectors: (model, vectors) =>
      inner.setVectors(
        model,
        vectors.map((one) => ({ ...one, contentHash: sealer.sealHash(one.id, one.contentHash) })),
      ),
    close: () => inner.close(),
  };
}

async function findSealed(sealer: Sealer, inner: PointStore, query: FindQuery): Promise<Findings> {
  const { frequencies } = query;
  const found = await inner.find({
    ...query,
    ...sealPhrasing(sealer, query),
    also: query.also?.map((phrasing) => sealPhrasing(sealer, phrasing)),
    filter: sealFilter(sealer, query.filter),
    memory: query.memory && sealMemoryFilter(sealer, query.memory),
    frequencies: frequencies && { ...frequencies, of: frequencies.of.map(sealer.keyToken) },
  });
  return {
    ...found,
    frequencies: plainCounts(sealer, frequencies?.of ?? [], found.frequencies),
  };
}

function sealPhrasing(sealer: Sealer, { tokens, vector }: Phrasing): Phrasing {
  return { tokens: tokens?.map(sealer.keyToken) ?? null, vector: numbersIn(vector) };
}

function keyStream(sealer: Sealer, stream: string): string {
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

type Damaged = (stored: { session_id: string }) => void;

/** Leaves out what cannot be opened, unless that is everything: one changed session must not hide all others. */
export function openEach<S, T>(stored: S[], open: (one: S) => T, damaged: (one: S) => void): T[] {
  const failed: { one: S; error: SmartForkError }[] = [];
  const opened = stored.flatMap((one) => {
    try {
      return [open(one)];
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      failed.push({ one, error });
      return [];
    }
  });
  if (opened.length === 0 && failed[0] !== undefined) throw failed[0].error;
  for (const { one } of failed) damaged(one);
  return opened;
}

function openPoint(sealer: Sealer, { id, payload, hasVector, vector }: StoredPoint): StoredPoint {
  return { id, payload: unsealText(sealer, payload, id), hasVector, vector };
}

/** A tampered server could return one session in place of another. */
function expectSession<T extends { session_id: string }>(opened: T, ids: Set<string>): T {
  if (ids.has(opened.session_id)) return opened;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store returned session ${opened.session_id}, which was not requested`,
    { hint: 'Data on the server has been changed. Check who can write to it.' },
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

/** Repository names are hashed to ignore case, and a hash cannot be opened. So one of the sessions supplies the name. */
async function nameRepositories(sealer: Sealer, inner: PointStore, rows: FacetRow[]): Promise<FacetRow[]> {
  const named: FacetRow[] = [];
  for (let at = 0; at < rows.length; at += PARALLEL) {
    const some = rows.slice(at, at + PARALLEL).map(async ({ value, count }) => {
      const { sessions } = await inner.list({ repo: { repo_name: value } }, 1);
      return sessions.map((stored) => ({ value: unsealSession(sealer, stored).repo_name, count }));
    });
    named.push(...(await Promise.all(some)).flat());
  }
  return named;
}

function plainCounts(sealer: Sealer, tokens: string[], counts: Map<string, number>): Map<string, number> {
  return new Map(
    tokens.flatMap((token): [string, number][] => {
      const count = counts.get(sealer.keyToken(token));
      return count === undefined ? [] : [[token, count]];
    }),
  );
}
