import type { LexicalTokenizer, QueryWord } from '../../../domain/search/lexical.ts';
import { meanWeights, type RankedByPhrasings, rankPhrasings } from '../../../domain/search/phrasings.ts';
import type { Formula } from '../../../domain/search/ranking.ts';
import type { RankedLists, RankingName } from '../../../domain/search/search.ts';
import { chosenBefore, type Selection } from '../../../domain/search/selections.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Outcome } from '../../../domain/session/session.ts';
import type { ThisMachine } from '../../../ports/machine.ts';
import { type Findings, NOTHING_FOUND, type PointStore } from '../../../ports/point-store.ts';
import type { TranscriptSource } from '../../../ports/transcript-source.ts';
import type { AskDependencies, Asked } from '../ask-store.ts';
import type { LookedUp } from '../look-up/look-up-sessions.ts';
import type { Presented } from '../present-result.ts';
import { keepOutcomes } from '../understand/apply-understanding.ts';
import { withPart } from './with-part.ts';

/** Every session that was found, before any is fetched. */
export interface Ranking {
  /** Best first. */
  ranked: Presented[];
  /** By the default formula, whatever the filters: from this, certainty is computed. */
  amongAll: RankedByPhrasings[];
  /** Whether the formula of the requirements document decided the order. */
  prd: boolean;
  notices: Notice[];
}

interface RankRequest {
  /** The query and its further phrasings. */
  texts: string[];
  /** Their words. */
  words: QueryWord[];
  ranking: RankingName | undefined;
  outcomes: Outcome[] | null;
  now: number;
}

interface RankDependencies extends Pick<AskDependencies, 'store' | 'tokenizer'> {
  selections(): Selection[];
  formula: Formula;
  sources: TranscriptSource[];
  machine: ThisMachine;
}

/** Ranks what the store found. Sessions that the query names come first, those chosen after similar searches a little higher. */
export async function rankFound(
  deps: RankDependencies,
  { found, among, byMeaning, along = [] }: Asked & { along?: LookedUp[] },
  { texts, words, ranking, outcomes, now }: RankRequest,
): Promise<Ranking> {
  const prd = ranking === 'prd' && byMeaning;
  const isFound = byMeaning || (await isAnyWordKnown(deps, texts, words, found));
  const lists = isFound ? [found.lists, ...found.also] : [NOTHING_FOUND.lists];
  const byDefault = rankPhrasings(lists, now, deps.formula);
  const amongAll = among ? rankPhrasings([among.lists, ...among.also], now, deps.formula) : byDefault;
  // Loaded for those alone who selected it.
  const byPrd = prd ? await import('./rank-by-prd.ts') : null;
  const all = byPrd ? await byPrd.rankByPrd(deps, found, now) : toPresented(byDefault, lists, deps.formula);
  const named = withLookedUp(all, along);
  const chosen = prd
    ? named
    : raiseChosen(named, chosenBefore(texts, deps.selections(), deps.tokenizer, now));
  return {
    ranked: await keepOutcomes(deps.store, chosen, outcomes),
    amongAll,
    prd,
    notices: ranking === 'prd' && !prd ? [prdNeedsVectors()] : [],
  };
}

function toPresented(ranked: RankedByPhrasings[], lists: RankedLists[], formula: Formula): Presented[] {
  const weights = meanWeights(lists, formula);
  return ranked.map(({ session_id, score, parts, best, phrasings }) => ({
    session_id,
    score,
    best,
    scores: { parts, weights, phrasings: phrasings.length > 1 ? phrasings : undefined },
  }));
}

function prdNeedsVectors(): Notice {
  return {
    code: 'PRD_NEEDS_VECTORS',
    message: 'ranked by the default formula: the PRD formula needs embeddings',
    hint: 'smart-fork model pull',
  };
}

/** The sessions that were looked up, followed by the others as ranked. */
function withLookedUp(ranked: Presented[], lookedUp: LookedUp[]): Presented[] {
  if (lookedUp.length === 0) return ranked;
  const known = new Map(ranked.map((one) => [one.session_id, one]));
  const first = lookedUp.map((one): Presented => {
    const best = { chunkByWords: null, chunkByVector: null, intent: null };
    const nothing = { session_id: one.session_id, score: 0, best, scores: { parts: {}, weights: {} } };
    return { ...(known.get(one.session_id) ?? nothing), ...one };
  });
  const taken = new Set(first.map(({ session_id }) => session_id));
  return [...first, ...ranked.filter(({ session_id }) => !taken.has(session_id))];
}

/** Only decides between nearly equal results (docs/internals/ranking.md). */
const WEIGHT = 0.05;

/** Raises sessions chosen after similar searches by up to WEIGHT. Sessions named in the query stay first. */
function raiseChosen(ranked: Presented[], chosen: Map<string, number>): Presented[] {
  if (!ranked.some(({ session_id }) => chosen.has(session_id))) return ranked;
  const isNamed = ({ found_by }: Presented) => found_by !== undefined;
  const others = ranked.filter((one) => !isNamed(one));
  const raised = others
    .map((one) => withPart(one, 'chosen_before', chosen.get(one.session_id) ?? 0, WEIGHT))
    .sort((a, b) => b.score - a.score);
  return [...ranked.filter(isNamed), ...raised];
}

/** Whether a content word or a part of one occurs anywhere. If not, stop words would decide the ranking. */
async function isAnyWordKnown(
  { store, tokenizer }: { store: PointStore; tokenizer: LexicalTokenizer },
  texts: string[],
  words: QueryWord[],
  { lists, also, coverage, frequencies }: Findings,
): Promise<boolean> {
  const isEmpty = [lists, ...also].every((one) => !one.sessionsByWords?.length && !one.chunksByWords?.length);
  if (isEmpty || words.length === 0) return true;
  if (words.some(({ stem }) => (frequencies.get(stem) ?? 0) > 0)) return true;
  const stops = tokenizer
    .words(texts.join(' '))
    .flatMap(({ word, stop }) => (stop ? tokenizer.tokens(word) : []));
  const of = tokenizer.tokens(texts.join('\n')).filter((token) => !stops.includes(token));
  const counted = await store.find({
    tokens: null,
    vector: null,
    filter: {},
    coverage,
    frequencies: { of, among: 'sessions' },
  });
  return of.some((token) => (counted.frequencies.get(token) ?? 0) > 0);
}
