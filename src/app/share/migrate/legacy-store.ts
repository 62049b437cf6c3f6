import type { ChunkPayload } from '../../../domain/point/point.ts';
import { holdersOf } from '../../../domain/search/bm25.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type {
  Coverage,
  Hit,
  RankedLists,
  SessionFilter,
  StoreQuery,
  TokenStatistics,
} from '../../../domain/search/search.ts';
import { createTokenCounter } from '../../../domain/text/count-tokens.ts';
import type { LegacyCollection, LegacyPoint, LegacyQuery } from '../../../ports/legacy-collection.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import { rememberFor } from '../read/remember-for.ts';
import { filterSessions } from './legacy-filter.ts';
import { countSessions, facetSessions, pageSessions } from './legacy-lists.ts';
import { sessionRecords, textPoints } from './legacy-records.ts';
import { type LegacyScan, rankScan, scanTexts, turnsOf, wholeSessions } from './legacy-scan.ts';
import { countMarks, gatherSessions, type LegacySession } from './legacy-sessions.ts';

export interface LegacyStoreDependencies {
  collection: LegacyCollection;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  /** Whether queries are embedded by the model that its vectors are of. */
  sameModel: boolean;
  now: () => number;
}

/**
 * The sessions of the Python program as any other store's, to read them. Nothing of it is in an index of ours: words are
 * looked for by reading all texts, which are redacted before anyone sees them. Its pieces of a conversation are its chunks.
 */
export type LegacyStore = Pick<
  PointStore,
  | 'getSessions'
  | 'findByIdPrefix'
  | 'getPoints'
  | 'getChunks'
  | 'list'
  | 'count'
  | 'facet'
  | 'scoreChunks'
  | 'tokenStatistics'
> & {
  /** What a search may take for embedded: nothing, where another model is used. */
  coverage(): Promise<Coverage>;
  sessionIds(): Promise<string[]>;
  /** @param beside the words of the store whose hits these will stand among; null for none. */
  search(query: StoreQuery, beside: TokenStatistics | null): Promise<RankedLists>;
};

/** What was read is good enough for one command, or one search of a server that runs on. */
const KEEP_MS = 15_000;

export function openLegacyStore(deps: LegacyStoreDependencies): LegacyStore {
  const { collection, tokenizer, sameModel } = deps;
  const ids = rememberFor(KEEP_MS, deps.now, () => collection.sessionIds());
  const heads = rememberFor(KEEP_MS, deps.now, async () => (await gather(collection, false)).sessions.list());
  let scanned: string[] = [];
  const scans = rememberFor(KEEP_MS, deps.now, () =>
    scanTexts(collection, createTokenCounter(tokenizer, scanned)),
  );
  const scanFor = (tokens: string[]): Promise<LegacyScan> => {
    const known = scans.peek();
    if (known !== null && tokens.every((token) => scanned.includes(token))) return known;
    scanned = tokens;
    scans.forget();
    return scans.get();
  };
  let wanted: string[] = [];
  /** A command asks several times for the one session that it is about. */
  const wholes = rememberFor(KEEP_MS, deps.now, () => gather(collection, true, wanted));
  const readWhole = (sessionIds: string[]) => {
    if (sessionIds.join() !== wanted.join()) wholes.forget();
    wanted = sessionIds;
    return wholes.get();
  };
  const sessions = async () => (await scans.peek())?.sessions ?? heads.get();
  const passing = async (filter: SessionFilter = {}) => filterSessions(await sessions(), filter);
  const find = async (sessionIds: string[]): Promise<LegacySession[]> => {
    const scan = await scans.peek();
    if (scan === null) return (await readWhole(sessionIds)).sessions.list();
    return filterSessions(scan.sessions, { sessionIds });
  };

  return {
    getSessions: async (all) => (all.length === 0 ? [] : sessionRecords(deps, await find(all))),
    async findByIdPrefix(prefix, limit) {
      const found = (await ids.get()).filter((id) => id.startsWith(prefix)).sort();
      return found.length === 0 ? [] : sessionRecords(deps, await find(found.slice(0, limit)));
    },
    async getPoints(pointIds) {
      const found = pointIds.length === 0 ? [] : await collection.get(pointIds);
      if (found.length === 0) return [];
      const scan = await scans.peek();
      if (scan !== null) return textPoints(deps, found, scan.sessions, scan.turns);
      const whole = await readWhole([...new Set(found.map(({ session_id }) => session_id))]);
      return textPoints(deps, found, whole.sessions.list(), turnsIn(whole.points));
    },
    async getChunks(sessionId, from = 0) {
      const { points, sessions: of } = await readWhole([sessionId]);
      const chunks = points.filter(({ type }) => type === 'chunk');
      const all = await textPoints(deps, chunks, of.list(), turnsIn(points));
      return all
        .flatMap(({ payload }): ChunkPayload[] => (payload.type === 'chunk' ? [payload] : []))
        .filter(({ chunk_index }) => chunk_index >= from)
        .sort((a, b) => a.chunk_index - b.chunk_index);
    },
    async list(filter, limit, cursor) {
      const page = pageSessions(await passing(filter), limit, cursor);
      return { ...page, sessions: await sessionRecords(deps, page.sessions) };
    },
    count: async (filter) => countSessions(await passing(filter), sameModel),
    facet: async (field, filter) => facetSessions(field, await passing(filter)),
    async search(query, beside) {
      const scan = query.tokens === null ? null : await scanFor(query.tokens);
      const all = scan?.sessions ?? (await sessions());
      const words = scan && { scan, beside };
      return searchIn(deps, query, all, words);
    },
    async scoreChunks(sessionIds, vector) {
      if (!sameModel || sessionIds.length === 0) return [];
      const found = await find(sessionIds);
      const limit = found.reduce((sum, { chunks }) => sum + chunks, 0);
      return (await nearestOf(deps, found, { type: 'chunk', vector, limit, sessionIds })) ?? [];
    },
    async tokenStatistics(tokens) {
      const { sessions: of, pieces } = await scanFor(tokens);
      return {
        sessionCount: of.length,
        chunkCount: pieces.length,
        sessionsWith: holdersOf(wholeSessions(pieces), tokens),
        chunksWith: holdersOf(pieces, tokens),
      } satisfies TokenStatistics;
    },
    async coverage() {
      const nothing = { sessions: 0, chunks: 0, intents: 0, waiting: { intents: 0, chunks: 0 } };
      if (!sameModel) return nothing;
      const { sessions: count, chunks, intents } = countSessions(await sessions(), true);
      return { ...nothing, sessions: count, chunks, intents };
    },
    sessionIds: ids.get,
  };
}

async function gather(collection: LegacyCollection, texts: boolean, sessionIds?: string[]) {
  const sessions = gatherSessions();
  const points: LegacyPoint[] = [];
  for await (const page of collection.points({ texts, ...(sessionIds && { sessionIds }) })) {
    for (const point of page) sessions.add(point);
    if (texts) points.push(...page);
  }
  return { sessions, points };
}

function turnsIn(points: LegacyPoint[]): Map<string, number> {
  const chunks = points.filter(({ type }) => type === 'chunk');
  return turnsOf(chunks.map((point) => ({ ...point, marks: countMarks(point.text ?? '') })));
}

async function searchIn(
  deps: LegacyStoreDependencies,
  { tokens, vector, filter, limits }: StoreQuery,
  all: LegacySession[],
  by: { scan: LegacyScan; beside: TokenStatistics | null } | null,
): Promise<RankedLists> {
  const sessions = filterSessions(all, filter);
  const passing = new Map(sessions.map((session) => [session.session_id, session]));
  const words = by === null ? null : rankScan(by.scan, tokens ?? [], passing, by.beside);
  const only = sessions.length < all.length ? { sessionIds: [...passing.keys()] } : {};
  const near = (type: LegacyQuery['type'], limit: number) =>
    vector === null || !deps.sameModel ? null : nearestOf(deps, sessions, { type, vector, limit, ...only });
  const [chunksByVector, intentsByVector] = await Promise.all([
    near('chunk', limits.chunks),
    near('intent', limits.intents),
  ]);
  return {
    sessionsByWords: words === null ? null : words.sessions.slice(0, limits.sessions),
    chunksByWords: words === null ? null : words.chunks.slice(0, limits.chunks),
    chunksByVector,
    intentsByVector,
  };
}

async function nearestOf(
  { collection }: LegacyStoreDependencies,
  sessions: LegacySession[],
  query: LegacyQuery,
): Promise<Hit[] | null> {
  if (sessions.length === 0 || query.limit === 0) return [];
  const ends = new Map(sessions.map(({ session_id, timestamp }) => [session_id, timestamp]));
  const found = await collection.nearest(query);
  if (found === null) return null;
  return found
    .filter(({ session_id }) => ends.has(session_id))
    .map(({ id, session_id, score }) => ({
      session_id,
      point_id: id,
      score,
      ended_at: ends.get(session_id) ?? null,
    }));
}
