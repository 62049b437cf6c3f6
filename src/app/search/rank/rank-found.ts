import type { QueryWord } from '../../../domain/search/lexical.ts';
import { meanWeights, type RankedByPhrasings, rankPhrasings } from '../../../domain/search/phrasings.ts';
import type { RankedLists, RankingName } from '../../../domain/search/search.ts';
import { chosenBefore, type Selection } from '../../../domain/search/selections.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Outcome } from '../../../domain/session/session.ts';
import { NOTHING_FOUND } from '../../../ports/point-store.ts';
import type { AskDependencies, Asked } from '../ask-store.ts';
import type { LookedUp } from '../look-up/look-up-sessions.ts';
import { withLookedUp } from '../look-up/with-looked-up.ts';
import type { Presented } from '../present-result.ts';
import { isAnyWordKnown } from '../results/any-word-known.ts';
import { keepOutcomes } from '../understand/apply-understanding.ts';
import { raiseChosen } from './raise-chosen.ts';
import { rankByPrd } from './rank-by-prd.ts';

/** Every session that was found, before any is fetched. */
export interface Ranking {
  /** Best first. */
  ranked: Presented[];
  /** By the default formula, from which certainty is computed. */
  byDefault: RankedByPhrasings[];
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

/** Ranks what the store found. Sessions that the query names come first, those chosen after similar searches a little higher. */
export async function rankFound(
  deps: Pick<AskDependencies, 'store' | 'tokenizer'> & { selections(): Selection[] },
  { found, byMeaning, along = [] }: Asked & { along?: LookedUp[] },
  { texts, words, ranking, outcomes, now }: RankRequest,
): Promise<Ranking> {
  const prd = ranking === 'prd' && byMeaning;
  const isFound = byMeaning || (await isAnyWordKnown(deps, texts, words, found));
  const lists = isFound ? [found.lists, ...found.also] : [NOTHING_FOUND.lists];
  const byDefault = rankPhrasings(lists, now);
  const all = prd ? await rankByPrd(deps.store, found, now) : toPresented(byDefault, lists);
  const named = withLookedUp(all, along);
  const chosen = prd
    ? named
    : raiseChosen(named, chosenBefore(texts, deps.selections(), deps.tokenizer, now));
  return {
    ranked: await keepOutcomes(deps.store, chosen, outcomes),
    byDefault,
    prd,
    notices: ranking === 'prd' && !prd ? [prdNeedsVectors()] : [],
  };
}

function toPresented(ranked: RankedByPhrasings[], lists: RankedLists[]): Presented[] {
  const weights = meanWeights(lists);
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
