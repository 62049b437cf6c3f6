import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Reranker } from '../../../ports/rerank/reranker.ts';
import type { Presented } from '../present-result.ts';
import { preferRepository, preferredAmong } from '../rank/prefer-repository.ts';
import type { Ranking } from '../rank/rank-found.ts';
import { RERANKED, rerank } from '../rank/rerank.ts';
import type { PreferredRepository } from '../repository-filter.ts';
import { fetchPassages, fetchShown, type Shown } from './fetch-shown.ts';
import { foldFamilies } from './fold-families.ts';
import { type Judgement, judgeResults, orderByTexts } from './judge-results.ts';

/** The first results may change places by their certainty: as many whatever the limit, so that it does not change the order. */
const WEIGHED = 5;
/** Results looked at beyond the limit, because families of forks are folded into one result. */
const MAX_FOLDED = 5;

/** The first sessions of a ranking, with what is needed to choose among them. */
export interface First {
  first: Presented[];
  /** The name of the preferred repository, by session. */
  names: Map<string, string>;
  shown: Shown;
}

interface FirstRequest {
  limit: number;
  repository: PreferredRepository | undefined;
  reranker: Reranker | null;
}

export async function fetchFirst(
  store: PointStore,
  ranked: Presented[],
  { limit, repository, reranker }: FirstRequest,
): Promise<First> {
  const most = Math.max(limit, WEIGHED, reranker === null ? 0 : RERANKED) + MAX_FOLDED;
  // The preference seldom changes all of the first results, so most of their passages can be fetched in the round trip that it needs.
  const [{ first, names, known }, points] = await Promise.all([
    preferRepository(store, ranked, { repository, most }),
    repository === undefined ? new Map() : fetchPassages(store, ranked.slice(0, most)),
  ]);
  const sessions = new Map(known.map((session) => [session.session_id, session]));
  const shown = await fetchShown(store, first, { sessions, points });
  // A session whose record is damaged, or that was just forgotten, cannot be shown. The next one takes its place.
  return { first: first.filter(({ session_id }) => shown.sessions.has(session_id)), names, shown };
}

/** The results of a search. */
export interface ChosenResults {
  wanted: Presented[];
  judged: Map<string, Judgement>;
  /** The name of the preferred repository, if preferring it changed the results. */
  preferred: string | undefined;
  notices: Notice[];
}

interface ChoiceRequest {
  query: string;
  /** The IDF of each stem of the query, and of each further phrasing. */
  stems: Map<string, number>[];
  limit: number;
  minScore: number | undefined;
  reranker: Reranker | null;
}

/** Folds families, reranks, and keeps the results that are good enough. */
export async function chooseResults(
  tokenizer: LexicalTokenizer,
  { amongAll, prd }: Pick<Ranking, 'amongAll' | 'prd'>,
  { first, names, shown }: First,
  { query, stems, limit, minScore = 0, reranker }: ChoiceRequest,
): Promise<ChosenResults> {
  const folded = foldFamilies(first, shown.sessions);
  const { ranked, notices } = await rerank(reranker, query, { ranked: folded, shown });
  const good = ranked.filter(isGood(minScore));
  const preferred = preferredAmong(good, limit, names);
  const isByScore = prd || reranker !== null || preferredAmong(good, WEIGHED, names) !== undefined;
  const best = good.slice(0, isByScore ? limit : Math.max(limit, WEIGHED));
  const named = good.filter(({ found_by }) => found_by !== undefined).length;
  const judged = judgeResults(tokenizer, best, { ranked: amongAll, stems, shown, named });
  const weighed = isByScore ? best : orderByTexts(best.slice(0, WEIGHED), judged);
  const wanted = [...weighed, ...best.slice(weighed.length)].slice(0, limit);
  return { wanted, judged, preferred, notices };
}

/** Sessions that the query names are good whatever their score. */
export function isGood(minScore = 0): (one: Presented) => boolean {
  return ({ score, found_by }) => found_by !== undefined || score >= minScore;
}
