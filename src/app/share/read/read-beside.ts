import type { SessionPayload } from '../../../domain/point/point.ts';
import { scaleOfIndex } from '../../../domain/search/bm25.ts';
import type {
  Coverage,
  Hit,
  RankedLists,
  SessionFilter,
  StoreQuery,
  TokenStatistics,
} from '../../../domain/search/search.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import { wordCounts } from '../migrate/legacy-scan.ts';
import type { LegacyStore } from '../migrate/legacy-store.ts';
import type { Ask } from './fall-back.ts';
import { mergeCounts, mergeFacets, mergeLists, mergePages, without } from './merge-answers.ts';
import { findInSteps } from './read-once.ts';

export interface Beside {
  local: PointStore;
  /** Which of these sessions were forgotten here, which the server cannot be told. */
  forgotten(sessionIds: string[]): Set<string>;
}

/**
 * This machine's store with the sessions of a collection that is only read. A session that is in both is this machine's: its
 * transcript says more. Where the collection is not there, or does not answer, the local store is all there is.
 */
export function readBeside({ local, forgotten }: Beside, ask: Ask<LegacyStore>): PointStore {
  /** Not to be read there: it is here, or was forgotten here. */
  const hidden = async (ids: string[]): Promise<string[]> => {
    const here = await local.getSessions(ids);
    return [...here.map(({ session_id }) => session_id), ...forgotten(ids)];
  };
  const visible = async (filter: SessionFilter, legacy: LegacyStore): Promise<SessionFilter> =>
    without(filter, await hidden(await legacy.sessionIds()));
  const getSessions = async (ids: string[]): Promise<SessionPayload[]> => {
    const here = await local.getSessions(ids);
    const known = new Set(here.map(({ session_id }) => session_id));
    const gone = forgotten(ids);
    const missing = ids.filter((id) => !known.has(id) && !gone.has(id));
    const there = missing.length === 0 ? null : await ask((legacy) => legacy.getSessions(missing));
    return [...here, ...(there?.answer ?? [])];
  };
  /** The lists of both, and what else is asked: one after the other, as the texts are read once, for the first of them. */
  const searchBoth = async <T>(
    query: StoreQuery,
    here: RankedLists,
    more: (legacy: LegacyStore) => Promise<T>,
  ): Promise<{ lists: RankedLists; asked: T | null }> => {
    const ours = query.tokens === null ? null : await local.tokenStatistics(query.tokens);
    const there = await ask(async (legacy) => ({
      lists: await legacy.search({ ...query, filter: await visible(query.filter, legacy) }, ours),
      theirs: query.tokens === null ? null : await legacy.tokenStatistics(query.tokens),
      asked: await more(legacy),
    }));
    if (there === null) return { lists: here, asked: null };
    const { lists, theirs, asked } = there.answer;
    const even = ours === null || theirs === null ? here : evenScores(here, query.tokens ?? [], ours, theirs);
    return { lists: mergeLists(lists, even, query.limits), asked };
  };
  return {
    ...local,
    getSessions,
    getSession: async (id) => (await getSessions([id]))[0] ?? null,
    async findByIdPrefix(prefix, limit) {
      const here = await local.findByIdPrefix(prefix, limit);
      const there = (await ask((legacy) => legacy.findByIdPrefix(prefix, limit)))?.answer ?? [];
      const gone = forgotten(there.map(({ session_id }) => session_id));
      const theirs = there.filter(({ session_id }) => !gone.has(session_id));
      const all = new Map([...theirs, ...here].map((session) => [session.session_id, session]));
      return [...all.values()].sort((a, b) => (a.session_id < b.session_id ? -1 : 1)).slice(0, limit);
    },
    async getPoints(ids) {
      const here = await local.getPoints(ids);
      const known = new Set(here.map(({ id }) => id));
      const missing = ids.filter((id) => !known.has(id));
      const there = missing.length === 0 ? null : await ask((legacy) => legacy.getPoints(missing));
      return [...here, ...(there?.answer ?? [])];
    },
    async getChunks(id, from) {
      if ((await local.getSession(id)) !== null) return local.getChunks(id, from);
      return (await ask((legacy) => legacy.getChunks(id, from)))?.answer ?? [];
    },
    async list(filter, limit, cursor) {
      const here = await local.list(filter, limit, cursor);
      const there = await ask(async (legacy) => legacy.list(await visible(filter, legacy), limit, cursor));
      return there === null ? here : mergePages(there.answer, here, limit);
    },
    async count(filter = {}) {
      const here = await local.count(filter);
      const there = await ask(async (legacy) => legacy.count(await visible(filter, legacy)));
      return there === null ? here : mergeCounts(there.answer, here);
    },
    async facet(field, filter = {}) {
      const here = await local.facet(field, filter);
      const there = await ask(async (legacy) => legacy.facet(field, await visible(filter, legacy)));
      return there === null ? here : mergeFacets(there.answer, here, field === 'month');
    },
    search: async (query) => (await searchBoth(query, await local.search(query), async () => null)).lists,
    async find(query) {
      const here = await findInSteps(local, query);
      const { lists, asked } = await searchBoth(query, here.lists, async (legacy) => ({
        coverage: await legacy.coverage(),
        statistics: await legacy.tokenStatistics(query.words, 'chunks'),
      }));
      if (asked === null) return here;
      return {
        ...here,
        lists,
        coverage: addCoverage(asked.coverage, here.coverage),
        statistics: addStatistics(asked.statistics, here.statistics),
      };
    },
    async scoreChunks(ids, vector) {
      const known = new Set((await local.getSessions(ids)).map(({ session_id }) => session_id));
      const there = await ask((legacy) =>
        legacy.scoreChunks(
          ids.filter((id) => !known.has(id)),
          vector,
        ),
      );
      const here = await local.scoreChunks([...known], vector);
      return [...here, ...(there?.answer ?? [])];
    },
    async tokenStatistics(tokens, of) {
      const here = await local.tokenStatistics(tokens, of);
      const there = await ask((legacy) => legacy.tokenStatistics(tokens, of));
      if (there === null) return here;
      return addAll(there.answer, here);
    },
  };
}

/** This machine's hits by words, scored as if all were in one store. */
function evenScores(
  lists: RankedLists,
  tokens: string[],
  ours: TokenStatistics,
  theirs: TokenStatistics,
): RankedLists {
  const [index, all] = [wordCounts(ours), wordCounts(addAll(theirs, ours))];
  const scaled = (hits: Hit[] | null, factor: number) =>
    hits?.map((hit) => ({ ...hit, score: hit.score * factor })) ?? null;
  return {
    ...lists,
    sessionsByWords: scaled(lists.sessionsByWords, scaleOfIndex(tokens, index.sessions, all.sessions)),
    chunksByWords: scaled(lists.chunksByWords, scaleOfIndex(tokens, index.chunks, all.chunks)),
  };
}

function addAll(one: TokenStatistics, other: TokenStatistics): TokenStatistics {
  return {
    ...addStatistics(one, other),
    sessionsWith: addCounts(one.sessionsWith, other.sessionsWith),
  };
}

function addCoverage(one: Coverage, other: Coverage): Coverage {
  return {
    sessions: one.sessions + other.sessions,
    chunks: one.chunks + other.chunks,
    intents: one.intents + other.intents,
    waiting: {
      intents: one.waiting.intents + other.waiting.intents,
      chunks: one.waiting.chunks + other.waiting.chunks,
    },
  };
}

/** Both are counted exactly, and nothing is in both that matters. */
function addStatistics(one: Findings['statistics'], other: Findings['statistics']): Findings['statistics'] {
  return {
    sessionCount: one.sessionCount + other.sessionCount,
    chunkCount: one.chunkCount + other.chunkCount,
    chunksWith: addCounts(one.chunksWith, other.chunksWith),
  };
}

function addCounts(one: Map<string, number>, other: Map<string, number>): Map<string, number> {
  const tokens = new Set([...one.keys(), ...other.keys()]);
  return new Map([...tokens].map((token) => [token, (one.get(token) ?? 0) + (other.get(token) ?? 0)]));
}
