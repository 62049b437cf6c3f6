import { readFileSync } from 'node:fs';
import { askCases, type Case, MODES } from './certainty/cases.ts';
import { aboveRight, type CertaintyFigures, measureCertainty, share } from './certainty/measure.ts';
import { transcriptPaths } from './corpus.ts';
import { lookUpSets } from './look-up-sets.ts';
import { bootstrap, hitRate, type Interval, meanReciprocalRank, rankOfFirst } from './metrics.ts';
import type { OpenCorpus } from './open-corpus.ts';
import { commitSets, type QuerySet, unanswerableSets } from './query-sets.ts';
import { RANKINGS } from './rankings.ts';
import { type Query, readQueries, selectQueries } from './read-queries.ts';
import { isTrustworthy } from './trustworthy.ts';

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
  /** Over only the queries whose label can be trusted. */
  trustworthy: Figures | null;
}

/** A set of queries in one mode. */
export interface SetFigures {
  set: string;
  mode: Case['mode'];
  all: SetPart;
  /** Only the queries whose label can be trusted; null if there are none, or if it is the same as `all`. */
  trustworthy: SetPart | null;
}

export interface SetPart {
  queries: number;
  figures: Figures;
  /** Share of the queries whose first result is marked Recommended. */
  badge: Interval;
  /** Share of those marks that are right, and their number; null if there are none. */
  badgeRight: (Interval & { of: number }) | null;
  /** Share of the queries with "nothing fits" above a right session among the first five. */
  nothingAboveRight: Interval;
}

export interface Evaluation {
  corpus: string;
  sessions: number;
  queries: number;
  /** Queries whose text occurs in no raw transcript. */
  blind: number;
  /** Queries whose label can be trusted. */
  trustworthy: number;
  rankings: RankingFigures[];
  /** The same commits in other words, if the queries are commits, and what names sessions. */
  sets: SetFigures[];
  certainty: { mode: Case['mode']; figures: CertaintyFigures }[];
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
  const trusted = queries.filter((query) => isTrustworthy(query, open.sessions));
  const rankings: RankingFigures[] = [];
  for (const [index, { name, needsVectors, prepare }] of RANKINGS.entries()) {
    onProgress(index, RANKINGS.length + 1);
    const ranks = new Map<Query, number | null>();
    if (!needsVectors || open.embedded) {
      const rank = await prepare(open);
      for (const query of queries) ranks.set(query, rankOfFirst(await rank(query), query.sessions));
    }
    rankings.push({
      ranking: name,
      all: figures(queries, ranks),
      blind: figures(blind, ranks),
      trustworthy: figures(trusted, ranks),
    });
  }
  onProgress(RANKINGS.length, RANKINGS.length + 1);
  const cases = await askCases(open, caseSets(open, { queries, foreign }));
  const named = await askCases(open, { answerable: lookUps, takenOut: [], foreign: [] });
  return {
    corpus: open.corpus.name,
    sessions: open.sessions.length,
    queries: queries.length,
    blind: blind.length,
    trustworthy: trusted.length,
    rankings,
    sets: [...figuresOfSets(sets.length > 0 ? cases : []), ...figuresOfSets(named)],
    certainty: MODES.flatMap((mode) => {
      const some = cases.filter((one) => one.mode === mode);
      return some.length === 0 ? [] : [{ mode, figures: measureCertainty(some) }];
    }),
  };
}

/** The sets by which the certainty is measured and fitted. */
export function caseSets(
  open: OpenCorpus,
  { queries, foreign }: { queries: Query[]; foreign: Query[] },
): { answerable: QuerySet[]; takenOut: QuerySet[]; foreign: QuerySet[] } {
  const sets = commitSets(queries);
  if (sets.length > 0) return { answerable: sets, takenOut: sets, foreign: unanswerable(open, foreign) };
  const plain = [{ name: 'queries', queries }];
  return { answerable: plain, takenOut: plain, foreign: [{ name: 'other repository', queries: foreign }] };
}

function figuresOfSets(cases: Case[]): SetFigures[] {
  const answerable = cases.filter(({ kind }) => kind === 'answerable');
  const sets = new Map(answerable.map(({ set, mode }) => [`${mode} ${set}`, { set, mode }]));
  return [...sets.values()].map(({ set, mode }) => {
    const all = answerable.filter((one) => one.set === set && one.mode === mode);
    const trusted = all.filter((one) => one.isTrustworthy);
    const isPart = trusted.length > 0 && trusted.length < all.length;
    return { set, mode, all: partOf(all), trustworthy: isPart ? partOf(trusted) : null };
  });
}

function partOf(cases: Case[]): SetPart {
  const marked = cases.filter(({ isRecommended }) => isRecommended);
  const right = (sample: Case[]) => share(sample, ({ rank }) => rank === 1);
  return {
    queries: cases.length,
    figures: figuresOf(cases.map(({ rank }) => rank)),
    badge: bootstrap(cases, (sample) => share(sample, ({ isRecommended }) => isRecommended)),
    badgeRight: marked.length === 0 ? null : { ...bootstrap(marked, right), of: marked.length },
    nothingAboveRight: bootstrap(cases, aboveRight),
  };
}

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
  return figuresOf(queries.map((query) => ranks.get(query) ?? null));
}

function figuresOf(found: (number | null)[]): Figures {
  return {
    hit1: bootstrap(found, (sample) => hitRate(sample, 1)),
    hit3: bootstrap(found, (sample) => hitRate(sample, 3)),
    hit5: bootstrap(found, (sample) => hitRate(sample, 5)),
    mrr: bootstrap(found, meanReciprocalRank),
  };
}
