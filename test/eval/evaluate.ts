import { readFileSync } from 'node:fs';
import { type Calibration, calibrate } from './calibrate.ts';
import { transcriptPaths } from './corpus.ts';
import { lookUpSets } from './look-up-sets.ts';
import { bootstrap, hitRate, type Interval, meanReciprocalRank, rankOfFirst } from './metrics.ts';
import type { OpenCorpus } from './open-corpus.ts';
import { commitSets, type QuerySet, unanswerableSets } from './query-sets.ts';
import { RANKINGS, searchAs } from './rankings.ts';
import { type Query, readQueries, selectQueries } from './read-queries.ts';

export interface Figures {
  hit1: Interval;
  hit3: Interval;
  hit5: Interval;
  mrr: Interval;
}

export interface RankingFigures {
  ranking: string;
  /** Null if it did not run because there is no model. */
  all: Figures | null;
  /** Over only the blind queries; null if there are none. */
  blind: Figures | null;
}

export interface SetFigures {
  set: string;
  mode: 'hybrid' | 'keyword';
  queries: number;
  figures: Figures;
}

export interface Evaluation {
  corpus: string;
  sessions: number;
  queries: number;
  /** Queries whose text occurs in no raw transcript. */
  blind: number;
  rankings: RankingFigures[];
  /** The same commits in other words, if the queries are commits, and what names sessions. */
  sets: SetFigures[];
  calibration: Calibration;
}

/** Runs every ranking over a corpus's queries; null if there are no usable queries. */
export async function evaluate(
  open: OpenCorpus,
  onProgress: (done: number, total: number) => void,
): Promise<Evaluation | null> {
  const ids = new Set(open.sessions.map(({ session_id }) => session_id));
  const all = readQueries(open.corpus.queries);
  const { queries, foreign } = selectQueries(all, ids);
  if (queries.length === 0) return null;
  const sets = commitSets(queries);
  const paths = transcriptPaths(open.corpus);
  const lookUps = lookUpSets(open.sessions, all, paths);
  const blind = blindQueries(queries, paths);
  const rankings: RankingFigures[] = [];
  for (const [index, { name, needsVectors, prepare }] of RANKINGS.entries()) {
    onProgress(index, RANKINGS.length + 1);
    const ranks = new Map<Query, number | null>();
    if (!needsVectors || open.embedded) {
      const rank = await prepare(open);
      for (const query of queries) ranks.set(query, rankOfFirst(await rank(query), query.sessions));
    }
    rankings.push({ ranking: name, all: figures(queries, ranks), blind: figures(blind, ranks) });
  }
  onProgress(RANKINGS.length, RANKINGS.length + 1);
  return {
    corpus: open.corpus.name,
    sessions: open.sessions.length,
    queries: queries.length,
    blind: blind.length,
    rankings,
    sets: await evaluateSets(open, [...sets, ...lookUps]),
    calibration: await calibrate(
      open,
      sets.length > 0 ? sets : [{ name: 'queries', queries }],
      sets.length > 0 ? unanswerable(open, foreign) : [{ name: 'other repository', queries: foreign }],
    ),
  };
}

async function evaluateSets(open: OpenCorpus, sets: QuerySet[]): Promise<SetFigures[]> {
  const evaluated: SetFigures[] = [];
  for (const mode of ['hybrid', 'keyword'] as const) {
    if (mode === 'hybrid' && !open.embedded) continue;
    for (const { name, queries } of sets) {
      const ranks = new Map<Query, number | null>();
      for (const query of queries) {
        const { results } = await searchAs(open, query, { mode, limit: DEEPEST });
        ranks.set(
          query,
          rankOfFirst(
            results.map(({ session_id }) => session_id),
            query.sessions,
          ),
        );
      }
      const found = figures(queries, ranks);
      if (found !== null) evaluated.push({ set: name, mode, queries: queries.length, figures: found });
    }
  }
  return evaluated;
}

/** Later ranks count as missing. */
export const DEEPEST = 20;

/**
 * Queries about other repositories, and about work that nobody did. Each corpus gets half of these, so that anything fitted on one corpus
 * is measured on the other with different queries.
 */
function unanswerable({ corpus }: OpenCorpus, foreign: Query[]): QuerySet[] {
  const rest = corpus.agent === 'claude' ? 0 : 1;
  const half = unanswerableSets().map(({ name, queries }) => ({
    name: `nobody did: ${name}`,
    queries: queries.filter((_, at) => at % 2 === rest),
  }));
  const others = commitSets(foreign).map(({ name, queries }) => ({ name: `elsewhere: ${name}`, queries }));
  return [...others, ...half];
}

/** Subjects copied from a transcript are easy to find; these are not. */
function blindQueries(queries: Query[], paths: string[]): Query[] {
  const unseen = new Map(
    queries.map((query) => [query, Buffer.from(JSON.stringify(query.text).slice(1, -1))]),
  );
  for (const path of paths) {
    const bytes = readFileSync(path);
    for (const [query, needle] of unseen) if (bytes.includes(needle)) unseen.delete(query);
  }
  return [...unseen.keys()];
}

export function figures(queries: Query[], ranks: Map<Query, number | null>): Figures | null {
  if (queries.length === 0 || ranks.size === 0) return null;
  const found = queries.map((query) => ranks.get(query) ?? null);
  return {
    hit1: bootstrap(found, (sample) => hitRate(sample, 1)),
    hit3: bootstrap(found, (sample) => hitRate(sample, 3)),
    hit5: bootstrap(found, (sample) => hitRate(sample, 5)),
    mrr: bootstrap(found, meanReciprocalRank),
  };
}
