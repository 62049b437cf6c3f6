import {
  CERTAINTY,
  certaintyOf,
  type Evidence,
  type FitLevel,
} from '../../../src/domain/search/certainty.ts';
import type { SearchMode } from '../../../src/domain/search/search.ts';
import { rankOfFirst } from '../metrics.ts';
import type { OpenCorpus } from '../open-corpus.ts';
import type { QuerySet } from '../query-sets.ts';
import { searchAs } from '../rankings.ts';
import type { Query } from '../read-queries.ts';
import { isTrustworthy } from '../trustworthy.ts';

/** A search whose right answer is known, as the product answers it. */
export interface Case {
  corpus: string;
  mode: SearchMode;
  set: string;
  /** `taken out`: its right sessions were left out of the search. `foreign`: nobody did such work here. */
  kind: 'answerable' | 'taken out' | 'foreign';
  isTrustworthy: boolean;
  phrased: boolean;
  /** Rank of the first right session among the first 20, or null. */
  rank: number | null;
  /** The first five results. */
  first: { evidence: Evidence | null; certainty: number }[];
  level: FitLevel;
  isRecommended: boolean;
  /** Number of words of the query, without stop words; 0 if nothing was found. */
  words: number;
}

export const MODES = ['hybrid', 'keyword'] as const;
/** Later ranks count as missing. */
export const DEEPEST = 20;
/** As many results as agents and users see. */
export const SHOWN = 5;

/** Runs sets that the corpus answers, as they are and with their right sessions taken out, and sets that it does not answer. */
export async function askCases(
  open: OpenCorpus,
  { answerable, takenOut, foreign }: { answerable: QuerySet[]; takenOut: QuerySet[]; foreign: QuerySet[] },
): Promise<Case[]> {
  const cases: Case[] = [];
  const askAll = async (sets: QuerySet[], kind: Case['kind'], mode: SearchMode) => {
    for (const { name, queries } of sets)
      for (const query of queries) cases.push(await ask(open, query, { set: name, kind, mode }));
  };
  for (const mode of MODES) {
    if (mode === 'hybrid' && !open.embedded) continue;
    await askAll(answerable, 'answerable', mode);
    await askAll(takenOut, 'taken out', mode);
    await askAll(foreign, 'foreign', mode);
  }
  return cases;
}

async function ask(
  open: OpenCorpus,
  query: Query,
  about: Pick<Case, 'set' | 'kind' | 'mode'>,
): Promise<Case> {
  const without = about.kind === 'taken out' ? query.sessions : [];
  const { results, fit } = await searchAs(open, query, { mode: about.mode, limit: DEEPEST, without });
  const shown = results.slice(0, SHOWN).map(({ scores: { evidence = null }, certainty }) => ({
    evidence,
    // The printed certainty is rounded.
    certainty: evidence === null ? (certainty ?? 0) / 100 : certaintyOf(evidence, CERTAINTY),
  }));
  return {
    ...about,
    corpus: open.corpus.name,
    isTrustworthy: isTrustworthy(query, open.sessions),
    phrased: query.also.length > 0,
    rank: rankOfFirst(
      results.map(({ session_id }) => session_id),
      query.sessions,
    ),
    first: shown,
    level: fit?.level ?? 'nothing',
    isRecommended: results[0]?.recommended === true,
    words: shown[0]?.evidence?.words ?? 0,
  };
}
