import type { Calibration } from './calibrate.ts';
import type { Evaluation, Figures } from './evaluate.ts';
import { intervalCell, share, table, withGaps } from './tables.ts';

/** The evaluations as one table, followed by the evaluation of the confidence. */
export function reportText(evaluations: Evaluation[]): string {
  const rows = evaluations.flatMap(({ corpus, queries, blind, rankings }) => [
    ...rankings.map(({ ranking, all }) => [`${corpus}, all ${queries}`, ranking, ...figureCells(all)]),
    ...(blind === 0
      ? []
      : rankings.map((one) => [`${corpus}, blind ${blind}`, one.ranking, ...figureCells(one.blind)])),
  ]);
  return [
    ...table(['queries', 'ranking', 'hit@1', 'hit@3', 'hit@5', 'MRR'], withGaps(rows)),
    '',
    'In brackets: 95 % intervals (bootstrap over the queries). Blind: the subject stands nowhere in the raw transcripts.',
    ...evaluations
      .filter(({ blind }) => blind === 0)
      .map(({ corpus }) => `${corpus}: every query stands in some transcript, so none is blind.`),
    ...setLines(evaluations),
    '',
    ...table(
      ['certainty', 'AUC', 'Brier', 'ECE', 'badge shown', 'badge right'],
      evaluations.map(({ corpus, calibration }) => [
        `${corpus} (${calibration.mode})`,
        ...calibrationCells(calibration),
      ]),
    ),
    '',
    ...table(
      ['no answer', 'queries', 'badge shown'],
      withGaps(
        evaluations.flatMap(({ corpus, calibration }) =>
          calibration.falseBadges.map(({ kind, queries, rate }) => [
            corpus,
            `${kind}, ${queries}`,
            intervalCell(rate),
          ]),
        ),
      ),
    ),
    '',
    'AUC, Brier and calibration error (ECE) over the queries as they are, with their right sessions taken out, and without an answer.',
    'Badge shown: share of queries whose first result is marked Recommended.',
  ].join('\n');
}

function setLines(evaluations: Evaluation[]): string[] {
  const rows = evaluations.flatMap(({ corpus, sets }) =>
    sets.map(({ set, mode, queries, figures }) => [
      `${corpus}, ${mode}`,
      `${set}, ${queries}`,
      ...figureCells(figures),
    ]),
  );
  if (rows.length === 0) return [];
  return ['', ...table(['set', 'queries', 'hit@1', 'hit@3', 'hit@5', 'MRR'], withGaps(rows))];
}

export function figureCells(figures: Figures | null): string[] {
  if (figures === null) return ['not run: no model'];
  return [figures.hit1, figures.hit3, figures.hit5, figures.mrr].map(intervalCell);
}

function calibrationCells(calibration: Calibration): string[] {
  const { auc, brier, calibrationError, badgeRate, badgePrecision } = calibration;
  return [
    ...[share(auc), share(brier), intervalCell(calibrationError), intervalCell(badgeRate)],
    badgePrecision === null ? '-' : `${intervalCell(badgePrecision)} of ${badgePrecision.of}`,
  ];
}
