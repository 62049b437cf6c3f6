import { createInk } from '../../src/cli/terminal/ink.ts';
import { tableLines } from '../../src/cli/terminal/table.ts';
import type { Calibration } from './calibrate.ts';
import type { Evaluation, Figures } from './evaluate.ts';
import type { Interval } from './metrics.ts';

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

function table(headers: string[], rows: string[][]): string[] {
  const ink = createInk({ columns: 200, color: 0, unicode: true });
  return tableLines(
    headers.map((header) => ({ header })),
    rows,
    ink,
  );
}

/** Names each group of rows once, with an empty row before the next. */
function withGaps(rows: string[][]): string[][] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1]?.[0];
    if (before === row[0]) return [['', ...row.slice(1)]];
    return before === undefined ? [row] : [[], row];
  });
}

function figureCells(figures: Figures | null): string[] {
  if (figures === null) return ['not run: no model'];
  return [figures.hit1, figures.hit3, figures.hit5, figures.mrr].map(intervalCell);
}

function intervalCell({ value, low, high }: Interval): string {
  return `${share(value)} [${share(low)} ${share(high)}]`;
}

function calibrationCells(calibration: Calibration): string[] {
  const { auc, brier, calibrationError, badgeRate, badgePrecision } = calibration;
  return [
    ...[share(auc), share(brier), intervalCell(calibrationError), intervalCell(badgeRate)],
    badgePrecision === null ? '-' : `${intervalCell(badgePrecision)} of ${badgePrecision.of}`,
  ];
}

/** `.912`, `1.000`. */
function share(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3).replace(/^0/, '');
}
