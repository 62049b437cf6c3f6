import { contentWords, nothingFits, weighWords } from '../../domain/search/confidence.ts';
import type { LexicalTokenizer, QueryWord } from '../../domain/search/lexical.ts';
import {
  LONGEST_QUERY,
  meanWeights,
  type RankedByPhrasings,
  rankPhrasings,
  readPhrasings,
} from '../../domain/search/phrasings.ts';
import type { RankedLists, RankingName, SearchMode, SessionFilter } from '../../domain/search/search.ts';
import { chosenBefore, type Selection } from '../../domain/search/selections.ts';
import type { Notice, SearchResponse, SearchResult } from '../../domain/search-result.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { type Findings, NOTHING_FOUND, type PointStore, type SharedStore } from '../../ports/point-store.ts';
import type { Reranker } from '../../ports/rerank/reranker.ts';
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
import type { PreferredRepository } from './repository-filter.ts';
import { isAnyWordKnown } from './results/any-word-known.ts';
import { askListsOnce } from './results/ask-lists-once.ts';
import { fetchShown, type Shown } from './results/fetch-shown.ts';
import { findTogether } from './results/find-together.ts';
import { foldFamilies } from './results/fold-families.ts';
import { inspectOnce } from './results/inspect-once.ts';
import { judgeResults } from './results/judge-results.ts';
import { locateOnce } from './results/locate-once.ts';
import { preferRepository, preferredAmong } from './results/prefer-repository.ts';
import { raiseChosen } from './results/raise-chosen.ts';
import { RERANKED, rerank } from './results/rerank.ts';
import { isNamed, keepOutcomes, restrictionNotices } from './understand/apply-understanding.ts';
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
  mode?: SearchMode;
  ranking?: RankingName;
  /** Raises sessions of this repository among nearly equal ones. Ignored with a repository filter and in the ranking `prd`. */
  prefer?: PreferredRepository;
  /** The request comes from a conversation with an unknown id: sessions that may be that conversation are left out. */
  fromUnknownSession?: boolean;
}

const MAX_LISTED = 1000;
/** Extra results to fetch, because related sessions become one result. */
const MAX_FOLDED = 5;
/** Words of a further phrasing that count for the certainty and are highlighted in passages. */
const MAX_WORDS_OF_PHRASING = 32;

/**
 * Finds the sessions to fork from: understands the conditions in the query, then searches for the rest. If those filters leave
 * nothing, it searches for all words of the query.
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
  let response = await searchSaid(deps, phrased, said, now);
  const isUnrestricted = response.results.length === 0 && said.understood.some(isNamed);
  if (isUnrestricted)
    response = await searchSaid(deps, phrased, { ...said, filter: said.unrestricted, outcomes: null }, now);
  const isIgnored = isUnrestricted && response.results.length > 0;
  const restriction = restrictionNotices(said, response.results.length === 0, isUnrestricted);
  return {
    ...response,
    query,
    understood: isIgnored ? said.understood.filter((one) => !isNamed(one)) : said.understood,
    notices: [
      ...('notices' in given.store ? given.store.notices() : []),
      ...[...said.notices, ...restriction, ...response.notices],
    ],
    took_ms: Date.now() - started,
  };
}

/** Searches for a request that has been fully understood. */
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
  const isRestricted = said.understood.some(isNamed) || said.excluded.texts.length > 0;
  if (words.length === 0 && also.length === 0 && isRestricted) return newest(deps, request, said);
  const phrased = [words, ...also.map((text) => wordsOfPhrasing(deps.tokenizer, text))];
  const asked = await askStore(
    deps,
    {
      ...{ query, also, filter, mode: request.mode ?? 'hybrid' },
      stems: [...new Set(phrased.flat().map(({ stem }) => stem))],
      chunkScores: request.ranking === 'prd',
    },
    async () => (request.literal === true ? [] : lookUpSessions(deps, query, filter)),
  );
  const { found } = asked;
  const notices = [...(await readOnlyNotice(store, found)), ...asked.notices];

  const stems = phrased.map((some) => weighWords(some, found.coverage.chunks, found.frequencies));
  const prd = request.ranking === 'prd' && asked.byMeaning;
  if (request.ranking === 'prd' && !prd) notices.push(prdNeedsVectors());
  const isFound = asked.byMeaning || (await isAnyWordKnown(deps, [query, ...also], phrased.flat(), found));
  const lists = isFound ? [found.lists, ...found.also] : [NOTHING_FOUND.lists];
  const byDefault = rankPhrasings(lists, now);
  const all = prd ? await rankByPrd(store, found, now) : toPresented(byDefault, lists);
  const chosen = prd
    ? new Map()
    : chosenBefore([query, ...also], deps.searchAids.selections(), deps.tokenizer, now);
  const named = raiseChosen(withLookedUp(all, asked.along ?? []), chosen);
  const ranked = await keepOutcomes(store, named, said.outcomes);
  const limit = request.limit ?? 5;
  const repository = prd || filter.repo !== undefined ? undefined : request.prefer;
  const reranker = prd ? null : deps.searchAids.reranker;
  const most = Math.max(limit + MAX_FOLDED, reranker === null ? 0 : RERANKED + MAX_FOLDED);
  const { first, names } = await preferRepository(store, found, ranked, { repository, most });
  const shown = await fetchShown(store, found, first);
  if (request.fromUnknownSession === true) {
    const askers = findAskers(deps, request.query.slice(0, LONGEST_QUERY), [...shown.sessions.values()]);
    if (askers.length > 0)
      return searchSaid(deps, request, { ...said, filter: withoutSessions(filter, askers) }, now);
  }
  const folded = foldFamilies(first, shown.sessions);
  const reranked = await rerank(reranker, query, { ranked: folded, shown });
  notices.push(...reranked.notices);
  const isGood = ({ score, found_by }: Presented) =>
    found_by !== undefined || score >= (request.minScore ?? 0);
  const good = reranked.ranked.filter(isGood);
  const preferred = preferredAmong(good, limit, names);
  const wanted = good.slice(0, limit);
  const tokenizer = locateOnce(deps.tokenizer, new Set(stems.flatMap((some) => [...some.keys()])));
  const certainties = judgeResults(tokenizer, wanted, { ranked: byDefault, stems, shown });
  const results = await present(deps, wanted, { stems, certainties, shown });
  const [of = new Map<string, number>()] = stems;
  const together = await findTogether(
    { store, tokenizer },
    { results: wanted, stems: of, filter, found, shown },
  );
  const isWeak = results.length === 0 || nothingFits({ results, together });
  const counted = isWeak ? { words: await countSessions(store, words, found) } : {};
  const explanation =
    results.length === 0 ? await explainFilters(deps, filter, ranked.length, request.minScore) : {};
  return {
    query,
    ...(also.length > 0 && { also }),
    mode: asked.mode,
    ranking: prd ? 'prd' : 'default',
    confidence: results[0]?.certainty ?? null,
    notices,
    results,
    ...(preferred !== undefined && { preferred }),
    ...(together !== null && { together }),
    ...explanation,
    ...counted,
  };
}

function withoutSessions(filter: SessionFilter, ids: string[]): SessionFilter {
  return { ...filter, excludeSessionIds: [...(filter.excludeSessionIds ?? []), ...ids] };
}

/** Answers a query with filters but no topic: "what did I do last week". */
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

/** In how many sessions each word occurs, and what a word that occurs in none may have meant. */
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
  const counted = words.map(({ word, stem }) => ({ word, sessions: frequencies.get(stem) ?? 0 }));
  const unknown = counted.filter(({ sessions }) => sessions === 0).map(({ word }) => word);
  if (unknown.length === 0) return counted;
  const { suggestSpelling } = await import('./understand/suggest-spelling.ts');
  const similar = await suggestSpelling(store, unknown);
  return counted.map((one) => {
    const meant = similar.get(one.word);
    return meant === undefined ? one : { ...one, similar: meant };
  });
}

/** Number of sessions that each filter matches, to explain an empty result. */
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
    scores: { parts, weights, ...(phrasings.length > 1 && { phrasings }) },
  }));
}

function wordsOfPhrasing(tokenizer: LexicalTokenizer, text: string): QueryWord[] {
  return contentWords(tokenizer.words(text)).slice(0, MAX_WORDS_OF_PHRASING);
}

function present(
  deps: SearchDependencies & { store: PointStore },
  ranked: Presented[],
  found: { stems: Map<string, number>[]; certainties: Map<string, number>; shown: Shown },
): Promise<SearchResult[]> {
  const { sessions, points } = found.shown;
  const marked = new Map(found.stems.flatMap((some) => [...some]));
  const asking = { ...deps, store: askListsOnce(deps.store) };
  const results = ranked.flatMap((one, index) => {
    const session = sessions.get(one.session_id);
    if (session === undefined) return [];
    const place = { rank: index + 1, certainty: found.certainties.get(one.session_id) ?? 0 };
    return [presentResult(asking, one, session, points, marked, place)];
  });
  return Promise.all(results);
}
