import { areaUnderCurve, brierScore, calibrationError, mean, type Outcome } from './metrics.ts';
import type { OpenCorpus } from './open-corpus.ts';
import { searchAs } from './rankings.ts';
import type { Query } from './read-queries.ts';

/**
 * Evaluates the confidence. Each query runs twice: as it is, and with its right sessions removed, so that it has no
 * answer (or nearly: other sessions may have planned or continued the work). The first three figures cover both.
 */
export interface Calibration {
  mode: 'hybrid' | 'keyword';
  auc: number;
  brier: number;
  calibrationError: number;
  /** Share of answerable queries whose first result is marked Recommended. */
  badgeRate: number;
  /** Share of those marks that are right; null without marks. */
  badgePrecision: number | null;
  /** Share of queries without their right sessions that still get a mark. */
  falseBadgeRate: number;
  /** The same for queries about other repositories; null without any. */
  foreign: { queries: number; badgeRate: number } | null;
}

export async function calibrate(open: OpenCorpus, queries: Query[], foreign: Query[]): Promise<Calibration> {
  const mode = open.embedded ? 'hybrid' : 'keyword';
  const answerable: Answer[] = [];
  const unanswerable: Answer[] = [];
  for (const query of queries) {
    answerable.push(await ask(open, query, mode, []));
    unanswerable.push(await ask(open, query, mode, query.sessions));
  }
  const strange: Answer[] = [];
  for (const query of foreign) strange.push(await ask(open, query, mode, []));
  const all = [...answerable, ...unanswerable];
  const marked = answerable.filter(({ recommended }) => recommended);
  return {
    mode,
    auc: areaUnderCurve(all),
    brier: brierScore(all),
    calibrationError: calibrationError(all),
    badgeRate: badgeRate(answerable),
    badgePrecision: marked.length === 0 ? null : mean(marked.map(({ right }) => (right ? 1 : 0))),
    falseBadgeRate: badgeRate(unanswerable),
    foreign: strange.length === 0 ? null : { queries: strange.length, badgeRate: badgeRate(strange) },
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
