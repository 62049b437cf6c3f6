import {
  areaUnderCurve,
  bootstrap,
  brierScore,
  calibrationError,
  type Interval,
  mean,
  type Outcome,
} from './metrics.ts';
import type { OpenCorpus } from './open-corpus.ts';
import type { QuerySet } from './query-sets.ts';
import { searchAs } from './rankings.ts';
import type { Query } from './read-queries.ts';

/**
 * Evaluates the certainty of the first result. Each query runs twice: unchanged, and with its right sessions removed, so that it has no
 * answer (or nearly none: other sessions may have planned or continued the work). The first three figures cover both.
 */
export interface Calibration {
  mode: 'hybrid' | 'keyword';
  auc: number;
  brier: number;
  calibrationError: Interval;
  /** Share of answerable queries whose first result is marked Recommended. */
  badgeRate: Interval;
  /** Share of those marks that are right, and their number; null if there are none. */
  badgePrecision: (Interval & { of: number }) | null;
  /** Share of unanswerable queries that still get a mark. */
  falseBadges: { kind: string; queries: number; rate: Interval }[];
}

/** @param unanswerable sets of queries about work that no session contains. */
export async function calibrate(
  open: OpenCorpus,
  answerable: QuerySet[],
  unanswerable: QuerySet[],
): Promise<Calibration> {
  const mode = open.embedded ? 'hybrid' : 'keyword';
  const askAll = async (queries: Query[], isTakenOut: boolean) => {
    const answers: Answer[] = [];
    for (const query of queries) answers.push(await ask(open, query, mode, isTakenOut ? query.sessions : []));
    return answers;
  };
  const known = await askAll(
    answerable.flatMap(({ queries }) => queries),
    false,
  );
  const kinds: { kind: string; answers: Answer[] }[] = [];
  for (const { name, queries } of answerable)
    kinds.push({ kind: `taken out: ${name}`, answers: await askAll(queries, true) });
  for (const { name, queries } of unanswerable)
    kinds.push({ kind: name, answers: await askAll(queries, false) });
  const all = [...known, ...kinds.flatMap(({ answers }) => answers)];
  const marked = known.filter(({ recommended }) => recommended);
  const right = (answers: Answer[]) => mean(answers.map((one) => (one.right ? 1 : 0)));
  return {
    mode,
    auc: areaUnderCurve(all),
    brier: brierScore(all),
    calibrationError: bootstrap(all, (sample) => calibrationError(sample)),
    badgeRate: bootstrap(known, badgeRate),
    badgePrecision: marked.length === 0 ? null : { ...bootstrap(marked, right), of: marked.length },
    falseBadges: kinds
      .filter(({ answers }) => answers.length > 0)
      .map(({ kind, answers }) => ({ kind, queries: answers.length, rate: bootstrap(answers, badgeRate) })),
  };
}

function badgeRate(answers: Answer[]): number {
  return mean(answers.map(({ recommended }) => (recommended ? 1 : 0)));
}

interface Answer extends Outcome {
  recommended: boolean;
}

async function ask(
  open: OpenCorpus,
  query: Query,
  mode: Calibration['mode'],
  without: string[],
): Promise<Answer> {
  const { results, confidence } = await searchAs(open, query, { mode, limit: 1, without });
  const first = results[0];
  return {
    probability: (confidence ?? 0) / 100,
    right: first !== undefined && query.sessions.includes(first.session_id),
    recommended: first?.recommended === true,
  };
}
