import type { SessionPayload } from '../../domain/point/point.ts';
import {
  confidence,
  contentWords,
  coverage,
  RECOMMENDED_FROM,
  weighWords,
} from '../../domain/search/confidence.ts';
import type { QueryWord } from '../../domain/search/lexical.ts';
import {
  LONGEST_QUERY,
  meanWeights,
  type RankedByPhrasings,
  rankPhrasings,
  readPhrasings,
} from '../../domain/search/phrasings.ts';
import { PARTS } from '../../domain/search/ranking.ts';
import type {
  RankedLists,
  RankingName,
  SearchMode,
  SessionFilter,
  StoredPoint,
} from '../../domain/search/search.ts';
import type { Notice, SearchResponse, SearchResult } from '../../domain/search-result.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import type { Findings, PointStore, SharedStore } from '../../ports/point-store.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import type { NamesHere } from '../sessions/name-here.ts';
import { type AskDependencies, askStore } from './ask-store.ts';
import { countFilters } from './count-filters.ts';
import { findAskers } from './find-askers.ts';
import { lookUpSessions } from './look-up/look-up-sessions.ts';
import { withLookedUp } from './look-up/with-looked-up.ts';
import { type Presented, presentResult } from './present-result.ts';
import { rankByPrd } from './rank-by-prd.ts';
import { recentResults } from './recent-results.ts';
import { keepOutcomes, namesFilters, restrictionNotices } from './understand/apply-understanding.ts';
import {
  type Said,
  type UnderstandDependencies,
  type UnderstandOptions,
  understandRequest,
} from './understand/understand-request.ts';

export interface SearchDependencies
  extends AskDependencies,
    NamesHere,
    Pick<UnderstandDependencies, 'times'> {
  store: PointStore | SharedStore;
  sources: TranscriptSource[];
  machine: ThisMachine;
  archives: ArchiveReader[];
}

export interface SearchRequest extends UnderstandOptions {
  /** Up to four other ways to say it; scores are summed over all. */
  also?: string[];
  /** 1 to 200. */
  limit?: number;
  /** Hides results below this score. */
  minScore?: number;
  mode?: SearchMode;
  ranking?: RankingName;
  /** Asked in a conversation whose id is unknown: sessions that it could be are left out. */
  fromUnknownSession?: boolean;
}

const WEAK_CONFIDENCE = 0.3;
const MAX_LISTED = 1000;
/** Words of the query and its phrasings that are marked in passages. */
const MAX_MARKED = 100;

/**
 * Finds the sessions to fork from: understands what the query says, then searches for the rest of it. If nothing is left with the
 * filters that the query names, it searches for all its words.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE; MODEL_UNAVAILABLE only in mode `dense`; USAGE for times that
 * exclude each other, and for unusable phrasings; SESSION_NOT_FOUND for an unknown id to exclude
 */
export async function searchSessions(
  given: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResponse> {
  const started = Date.now();
  const query = request.query.slice(0, LONGEST_QUERY).toWellFormed();
  const now = request.filter?.asOf === undefined ? given.machine.now() : Date.parse(request.filter.asOf);
  const also = readPhrasings(query, request.also ?? []);
  const store = 'forOneSearch' in given.store ? given.store.forOneSearch() : given.store;
  const deps = { ...given, store };
  const said = await understandRequest(deps, { ...request, query }, now);
  const phrased = { ...request, also };
  let response = await searchSaid(deps, phrased, said, now);
  const isUnrestricted = response.results.length === 0 && namesFilters(said);
  if (isUnrestricted)
    response = await searchSaid(deps, phrased, { ...said, filter: said.unrestricted, outcomes: null }, now);
  const restriction = restrictionNotices(said, response.results.length === 0, isUnrestricted);
  return {
    ...response,
    query,
    understood: said.understood,
    notices: [
      ...('notices' in given.store ? given.store.notices() : []),
      ...[...said.notices, ...restriction, ...response.notices],
    ],
    took_ms: Date.now() - started,
  };
}

/** A request in which everything is understood. */
async function searchSaid(
  deps: SearchDependencies & { store: PointStore },
  request: SearchRequest,
  said: Said,
  now: number,
): Promise<Omit<SearchResponse, 'understood' | 'took_ms'>> {
  const { store } = deps;
  const { text: query, filter } = said;
  const { also = [] } = request;
  const words = contentWords(deps.tokenizer.words(query));
  if (words.length === 0 && also.length === 0 && namesFilters(said)) return newest(deps, request, said);
  const marked = [...words, ...also.flatMap((text) => contentWords(deps.tokenizer.words(text)))].slice(
    0,
    MAX_MARKED,
  );
  const asked = await askStore(deps, {
    ...{ query, also, filter, mode: request.mode ?? 'hybrid' },
    stems: [...new Set(marked.map(({ stem }) => stem))],
    chunkScores: request.ranking === 'prd',
  });
  const { found } = asked;
  const notices = [...(await readOnlyNotice(store, found)), ...asked.notices];

  const stems = weighWords(words, found.coverage.chunks, found.frequencies);
  const prd = request.ranking === 'prd' && asked.byMeaning;
  if (request.ranking === 'prd' && !prd) notices.push(prdNeedsVectors());
  const lists = [found.lists, ...found.also];
  const byDefault = rankPhrasings(lists, now);
  const all = prd ? await rankByPrd(store, found, now) : toPresented(byDefault, lists);
  const lookedUp = request.literal === true ? [] : await lookUpSessions(deps, query, filter);
  const ranked = await keepOutcomes(store, withLookedUp(all, lookedUp), said.outcomes);
  const wanted = ranked
    .filter(({ score, found_by }) => found_by !== undefined || score >= (request.minScore ?? 0))
    .slice(0, request.limit ?? 5);
  const shown = await fetchShown(store, found, wanted, byDefault[0]);
  if (request.fromUnknownSession === true) {
    const askers = findAskers(deps, request.query.slice(0, LONGEST_QUERY), [...shown.sessions.values()]);
    if (askers.length > 0)
      return searchSaid(deps, request, { ...said, filter: withoutSessions(filter, askers) }, now);
  }
  const named = wanted.filter(({ found_by }) => found_by !== undefined).length;
  const certainty = named > 0 ? 1 / named : certaintyOf(deps, byDefault, stems, shown.points);
  // The confidence is about the default ranking's first session, and about no other.
  const isItsFirst = named > 0 || wanted[0]?.session_id === byDefault[0]?.session_id;
  const marks = weighWords(marked, found.coverage.chunks, found.frequencies);
  const results = present(deps, wanted, marks, isItsFirst ? certainty : 0, shown);
  const isWeak = results.length === 0 || (named === 0 && certainty < WEAK_CONFIDENCE);
  const counted = isWeak ? { words: await countSessions(store, words, found) } : {};
  const explanation =
    results.length === 0 ? await explainFilters(deps, filter, ranked.length, request.minScore) : {};
  return {
    query,
    ...(also.length > 0 && { also }),
    mode: asked.mode,
    ranking: prd ? 'prd' : 'default',
    confidence: results.length === 0 ? null : Math.round(100 * certainty),
    notices,
    results,
    ...explanation,
    ...counted,
  };
}

function withoutSessions(filter: SessionFilter, ids: string[]): SessionFilter {
  return { ...filter, excludeSessionIds: [...(filter.excludeSessionIds ?? []), ...ids] };
}

/** For a query that names filters and no topic: "what did I do last week". */
async function newest(
  deps: SearchDependencies & { store: PointStore },
  { limit = 5 }: SearchRequest,
  { text: query, filter, outcomes }: Said,
): Promise<Omit<SearchResponse, 'understood' | 'took_ms'>> {
  const listed = await recentResults(deps, filter, outcomes === null ? limit : MAX_LISTED);
  const results = listed
    .filter(({ outcome }) => outcomes === null || outcomes.includes(outcome))
    .slice(0, limit);
  return { query, mode: 'keyword', ranking: 'default', confidence: null, notices: [], results };
}

async function readOnlyNotice(store: PointStore, { shared }: Findings): Promise<Notice[]> {
  if (shared !== undefined || (await store.info()).readOnly !== true) return [];
  const message = 'the index is read-only: newer sessions are missing';
  return [{ code: 'READ_ONLY', message, hint: 'smart-fork doctor' }];
}

/** In how many sessions each word occurs. */
async function countSessions(
  store: PointStore,
  words: QueryWord[],
  { coverage }: Findings,
): Promise<NonNullable<SearchResponse['words']>> {
  const of = words.map(({ stem }) => stem);
  const { frequencies } = await store.find({
    ...{ tokens: null, vector: null, filter: {}, coverage },
    frequencies: { of, among: 'sessions' },
  });
  return words.map(({ word, stem }) => ({ word, sessions: frequencies.get(stem) ?? 0 }));
}

/** How many sessions each filter matches, to explain an empty result. */
async function explainFilters(
  { store }: SearchDependencies,
  filter: SessionFilter,
  matches: number,
  minScore = 0,
): Promise<Pick<SearchResponse, 'filters' | 'sessions'>> {
  const filters = await countFilters(store, filter);
  if (matches > 0) filters.push({ filter: 'min_score', value: String(minScore), sessions: 0, of: matches });
  return filters.length === 0 ? {} : { filters, sessions: (await store.count()).sessions };
}

function prdNeedsVectors(): Notice {
  return {
    code: 'PRD_NEEDS_VECTORS',
    message: 'ranked by the default formula: the PRD formula needs embeddings',
    hint: 'smart-fork model pull',
  };
}

function toPresented(ranked: RankedByPhrasings[], lists: RankedLists[]): Presented[] {
  const weights = meanWeights(lists);
  return ranked.map(({ session_id, score, parts, best, phrasings }) => ({
    session_id,
    score,
    best,
    scores: {
      parts: Object.fromEntries(PARTS.map((part) => [part, parts[part]])),
      weights: Object.fromEntries(PARTS.map((part) => [part, weights[part]])),
      ...(phrasings.length > 1 && { phrasings }),
    },
  }));
}

interface Shown {
  sessions: Map<string, SessionPayload>;
  points: Map<string, StoredPoint['payload']>;
}

/** The sessions of the results and the passages that matched. Fetches those that `find` did not return. */
async function fetchShown(
  store: PointStore,
  found: Findings,
  wanted: Presented[],
  first: RankedByPhrasings | undefined,
): Promise<Shown> {
  const passages = wanted.map(({ best }) => best.chunkByWords ?? best.chunkByVector ?? best.intent);
  // Passages of the first session give the confidence.
  const hits = [...passages, first?.best.chunkByWords ?? null, first?.best.chunkByVector ?? null];
  const sessions = new Map(found.sessions.map((session) => [session.session_id, session]));
  const points = new Map(found.points.map(({ id, payload }) => [id, payload]));
  const sessionIds = wanted.map(({ session_id }) => session_id).filter((id) => !sessions.has(id));
  const pointIds = new Set(hits.flatMap((hit) => hit?.point_id ?? []).filter((id) => !points.has(id)));
  const [moreSessions, morePoints] = await Promise.all([
    sessionIds.length > 0 ? store.getSessions(sessionIds) : [],
    pointIds.size > 0 ? store.getPoints([...pointIds]) : [],
  ]);
  for (const session of moreSessions) sessions.set(session.session_id, session);
  for (const { id, payload } of morePoints) points.set(id, payload);
  return { sessions, points };
}

/** The probability that the first session of the default ranking is the right one. */
function certaintyOf(
  deps: SearchDependencies,
  ranked: RankedByPhrasings[],
  stems: Map<string, number>,
  points: Shown['points'],
): number {
  const bySimilarity = ranked.toSorted((a, b) => b.similarity - a.similarity);
  const first = ranked[0];
  if (first === undefined) return 0;
  const second = bySimilarity.find(({ session_id }) => session_id !== first.session_id);
  const texts = [first.best.chunkByWords, first.best.chunkByVector].flatMap((hit) => {
    const payload = points.get(hit?.point_id ?? '');
    return payload?.type === 'chunk' ? [payload.content] : [];
  });
  const gap = first.similarity - (second?.similarity ?? 0);
  return confidence(coverage(texts, stems, deps.tokenizer), gap);
}

function present(
  deps: SearchDependencies,
  ranked: Presented[],
  stems: Map<string, number>,
  certainty: number,
  { sessions, points }: Shown,
): SearchResult[] {
  return ranked.flatMap((one, index) => {
    const session = sessions.get(one.session_id);
    if (session === undefined) return [];
    const recommended = index === 0 && certainty >= RECOMMENDED_FROM;
    return [presentResult(deps, one, session, points, stems, { rank: index + 1, recommended })];
  });
}
