import { isDeepStrictEqual } from 'node:util';
import { fitOf, isWeak } from '../../domain/search/certainty.ts';
import { contentWords, weighWords } from '../../domain/search/coverage.ts';
import type { QueryWord } from '../../domain/search/lexical.ts';
import { LONGEST_QUERY, readPhrasings, wordsOfPhrasing } from '../../domain/search/phrasings.ts';
import type { Formula } from '../../domain/search/ranking.ts';
import type { RankingName, SearchMode, SessionFilter } from '../../domain/search/search.ts';
import type { Selection } from '../../domain/search/selections.ts';
import type { SearchResponse, SearchResult } from '../../domain/search-result.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import { MOST_COUNTED } from '../../domain/text/found-text.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import type { PointStore, SharedStore } from '../../ports/point-store.ts';
import type { Reranker } from '../../ports/rerank/reranker.ts';
import type { SearchLog } from '../../ports/search-log.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import type { NamesHere } from '../sessions/name-here.ts';
import { type AskDependencies, askStore } from './ask-store.ts';
import { findAskers } from './find-askers.ts';
import { lookUpSessions } from './look-up/look-up-sessions.ts';
import { presentResult } from './present-result.ts';
import { type Ranking, rankFound } from './rank/rank-found.ts';
import { recentResults } from './recent-results.ts';
import type { PreferredRepository } from './repository-filter.ts';
import { askListsOnce, inspectOnce, locateOnce } from './results/ask-once.ts';
import {
  type ChosenResults,
  chooseResults,
  type First,
  fetchFirst,
  isGood,
} from './results/choose-results.ts';
import { countFacets } from './results/count-facets.ts';
import { countSessions, explainFilters } from './results/explain-weak.ts';
import type { Shown } from './results/fetch-shown.ts';
import { findTogether } from './results/find-together.ts';
import { isNamed, understoodAs } from './understand/apply-understanding.ts';
import { askRestricted } from './understand/ask-restricted.ts';
import {
  type Said,
  type UnderstandDependencies,
  type UnderstandOptions,
  understandRequest,
} from './understand/understand-request.ts';

export interface SearchDependencies extends AskDependencies, NamesHere {
  store: PointStore | SharedStore;
  sources: TranscriptSource[];
  machine: ThisMachine;
  archives: ArchiveReader[];
  searchAids: SearchAids;
}

/** What helps to understand a query and to rank its results. */
export interface SearchAids extends Pick<UnderstandDependencies, 'times'> {
  /** Sessions that were forked after searches, newest first. */
  selections(): Selection[];
  /** Null if the user does not want searches to be counted. */
  log: SearchLog | null;
  /** What the user's settings say of the formulas. */
  formula: Formula;
  /** Reads the first results again to reorder them; null if none is configured. */
  reranker: Reranker | null;
}

export interface SearchRequest extends UnderstandOptions {
  /** Up to four further phrasings; a session's score is the mean over all. */
  also?: string[];
  /** 1 to 200. */
  limit?: number;
  /** Hides results below this score. */
  minScore?: number;
  /** Length of the passage quoted from each result, in UTF-16 units. */
  snippetLength?: number;
  /** Counts the sessions that match by repository, agent, branch and month. */
  facets?: boolean;
  mode?: SearchMode;
  ranking?: RankingName;
  /** Raises sessions of this repository among nearly equal ones. Ignored with a repository filter and in the ranking `prd`. */
  prefer?: PreferredRepository;
  /** The request comes from a conversation with an unknown id: sessions that may be that conversation are left out. */
  fromUnknownSession?: boolean;
  /** The user is still typing, so the search does not count. */
  isTyped?: boolean;
}

const MAX_LISTED = 1000;

/**
 * Finds the sessions to fork from: understands the conditions in the query, then searches for the rest. If those filters leave
 * nothing, it says so and searches without them.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE; MODEL_UNAVAILABLE only in mode `dense`; USAGE for contradictory
 * times and for unusable phrasings; SESSION_NOT_FOUND for an unknown id to exclude
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
  const deps = { ...given, store, sources: inspectOnce(given.sources) };
  const said = await understandRequest({ ...deps, ...deps.searchAids }, { ...request, query }, now);
  const phrased = { ...request, also };
  const { answer, isIgnored, notices } = await askRestricted(
    store,
    said,
    now,
    (one) => searchSaid(deps, phrased, one, now),
    ({ results }) => results.length === 0,
  );
  let response = answer;
  const isWider =
    response.results.length > 0 &&
    said.understood.some(({ kind, unknown }) => unknown === true && kind !== 'not');
  if (isIgnored || isWider)
    response = withoutCertainty(response, [...notices, ...said.notices][0]?.message ?? '');
  const took = Date.now() - started;
  const { length: results } = response.results;
  if (request.isTyped !== true)
    given.searchAids.log?.note({
      at: new Date(given.machine.now()).toISOString(),
      results,
      fit: response.fit?.level ?? null,
      ms: took,
    });
  return {
    ...response,
    query,
    ...understoodAs(said.understood, isIgnored),
    notices: [
      ...('notices' in given.store ? given.store.notices() : []),
      ...[...said.notices, ...notices, ...response.notices],
    ],
    took_ms: took,
  };
}

/** Results that a filter of the query excludes are only the closest. */
function withoutCertainty(answer: Answer, text: string): Answer {
  const results = answer.results.map((one) => ({
    ...one,
    recommended: false,
    certainty: null,
    strength: null,
  }));
  return { ...answer, results, confidence: null, fit: { level: 'nothing', text } };
}

/** Searches for a request that has been fully understood. */
export async function searchSaid(
  deps: SearchDependencies & { store: PointStore },
  request: SearchRequest,
  said: Said,
  now: number,
): Promise<Answer> {
  const { store, tokenizer, searchAids } = deps;
  const { text: query, filter } = said;
  const { also = [], limit = 5, minScore } = request;
  const words = contentWords(tokenizer.words(query));
  const isRestricted = said.understood.some(isNamed) || said.excluded.texts.length > 0;
  if (words.length === 0 && also.length === 0 && isRestricted) return newest(deps, request, said);
  const phrased = [words, ...also.map((text) => wordsOfPhrasing(tokenizer, text))];
  const wanted = {
    texts: [query, ...also],
    words: phrased.flat(),
    ranking: request.ranking,
    outcomes: said.outcomes,
    now,
  };
  const rank = (asked: Awaited<ReturnType<typeof ask>>) =>
    rankFound({ ...deps, ...searchAids }, asked, wanted);
  const asked = await ask(deps, request, said, phrased.flat());
  const { found } = asked;
  const ranking = await rank(asked);
  const reranker = ranking.prd ? null : searchAids.reranker;
  const repository = ranking.prd || filter.repo !== undefined ? undefined : request.prefer;
  const first = await fetchFirst(store, ranking.ranked, { limit, repository, reranker });
  const askers = request.fromUnknownSession === true ? await askersOf(deps, request, first, ranking) : [];
  if (askers.length > 0) return searchSaid(deps, request, withoutSessions(said, askers), now);
  const stems = phrased.map((some) => weighWords(some, found.coverage.chunks, found.frequencies));
  const locating = locateOnce(tokenizer, new Set(stems.flatMap((some) => [...some.keys()])));
  const choice = await chooseResults(locating, ranking, first, { query, stems, limit, minScore, reranker });
  const results = await present(deps, choice, {
    stems,
    shown: first.shown,
    snippetLength: request.snippetLength,
  });
  const together = await findTogether(
    { store, tokenizer: locating },
    { results: choice.wanted, stems: stems[0] ?? new Map(), filter, found, shown: first.shown },
  );
  const certainties = choice.wanted.map(({ session_id }) => choice.judged.get(session_id)?.certainty ?? 0);
  const fit = fitOf(certainties, { together: together !== null });
  const counted = fit === null || isWeak(fit) ? await countSessions(store, words, found.coverage) : undefined;
  const matches = ranking.ranked.length;
  const matching = async (others: SessionFilter) => {
    const { ranked } =
      others === filter
        ? ranking
        : await rank(await ask(deps, request, { ...said, filter: others, among: others }, phrased.flat()));
    return ranked.filter(isGood(minScore)).map(({ session_id }) => session_id);
  };
  return {
    query,
    also: also.length > 0 ? also : undefined,
    mode: asked.mode,
    ranking: ranking.prd ? 'prd' : 'default',
    confidence: results[0]?.certainty ?? null,
    fit: fitOf(certainties, { together: together !== null, words: counted }) ?? undefined,
    notices: [...asked.notices, ...ranking.notices, ...choice.notices],
    results,
    matched: Math.min(matches, Math.max(MOST_COUNTED, results.length)),
    facets: request.facets === true ? await countFacets(store, filter, matching) : undefined,
    preferred: choice.preferred,
    together: together ?? undefined,
    ...(results.length === 0 && (await explainFilters(store, filter, { matches, minScore }))),
    words: counted,
  };
}

type Answer = Omit<SearchResponse, 'understood' | 'ignored' | 'took_ms'>;

/** Asks the store for what it finds, and for the sessions that the query names. */
function ask(
  deps: SearchDependencies & { store: PointStore },
  { also = [], mode = 'hybrid', ranking, literal }: SearchRequest,
  { text: query, filter, among }: Said,
  words: QueryWord[],
) {
  const stems = [...new Set(words.map(({ stem }) => stem))];
  const wider = isDeepStrictEqual(filter, among) ? undefined : among;
  const question = { query, also, filter, among: wider, mode, stems, chunkScores: ranking === 'prd' };
  return askStore(deps, question, async () => (literal === true ? [] : lookUpSessions(deps, query, filter)));
}

/** A filter may leave out the session that asks, but results are still compared with it. */
const RIVALS = 5;

async function askersOf(
  { store, ...deps }: SearchDependencies & { store: PointStore },
  { query }: SearchRequest,
  { shown }: First,
  { amongAll }: Ranking,
): Promise<string[]> {
  const rivals = amongAll.slice(0, RIVALS).map(({ session_id }) => session_id);
  const others = rivals.filter((id) => !shown.sessions.has(id));
  const sessions = others.length === 0 ? [] : await store.getSessions(others);
  return findAskers(deps, query.slice(0, LONGEST_QUERY), [...shown.sessions.values(), ...sessions]);
}

function withoutSessions({ filter, among, ...said }: Said, ids: string[]): Said {
  const without = (some: SessionFilter): SessionFilter => ({
    ...some,
    excludeSessionIds: [...(some.excludeSessionIds ?? []), ...ids],
  });
  return { ...said, filter: without(filter), among: without(among) };
}

/** Answers a query with filters but no topic: "what did I do last week". */
async function newest(
  deps: SearchDependencies & { store: PointStore },
  { limit = 5, facets }: SearchRequest,
  { text: query, filter, outcomes }: Said,
): Promise<Answer> {
  const listed = await recentResults(deps, filter, outcomes === null ? limit : MAX_LISTED);
  const fitting = listed.filter(({ outcome }) => outcomes === null || outcomes.includes(outcome));
  const results = fitting.slice(0, limit).map((result, index) => ({ ...result, rank: index + 1 }));
  const isAll = outcomes !== null || listed.length < limit;
  return {
    query,
    mode: 'keyword',
    ranking: 'default',
    confidence: null,
    notices: [],
    results,
    matched: isAll ? fitting.length : (await deps.store.count(filter)).sessions,
    facets: facets === true ? await countFacets(deps.store, filter, null) : undefined,
  };
}

function present(
  deps: SearchDependencies & { store: PointStore },
  { wanted, judged }: ChosenResults,
  { stems, shown, snippetLength }: { stems: Map<string, number>[]; shown: Shown; snippetLength?: number },
): Promise<SearchResult[]> {
  const { sessions, points } = shown;
  const marked = new Map(stems.flatMap((some) => [...some]));
  const asking = { ...deps, store: askListsOnce(deps.store) };
  const found = wanted.flatMap(({ session_id }) => sessions.get(session_id) ?? []);
  const titled = new Map(tellApart(found).map((session) => [session.session_id, session]));
  const results = wanted.flatMap((one, index) => {
    const session = titled.get(one.session_id);
    if (session === undefined) return [];
    const { certainty = 0, evidence = null } = judged.get(one.session_id) ?? {};
    const scores = { ...one.scores, evidence: evidence ?? undefined };
    const place = { rank: index + 1, certainty, snippetLength };
    return [presentResult(asking, { ...one, scores }, session, points, marked, place)];
  });
  return Promise.all(results);
}
