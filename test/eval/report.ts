import { certaintyLines, shownCells } from './certainty/certainty-report.ts';
import type { Evaluation, Figures, SetPart } from './evaluate.ts';
import { intervalCell, table, withGaps } from './tables.ts';

/** The evaluations as one table, followed by the evaluation of the confidence. */
export function reportText(evaluations: Evaluation[]): string {
  const rows = evaluations.flatMap(({ corpus, queries, blind, trustworthy, rankings }) => [
    ...rankings.map(({ ranking, all }) => [`${corpus}, all ${queries}`, ranking, ...figureCells(all)]),
    ...(blind === 0
      ? []
      : rankings.map((one) => [`${corpus}, blind ${blind}`, one.ranking, ...figureCells(one.blind)])),
    ...(trustworthy === 0 || trustworthy === queries
      ? []
      : rankings.map((one) => [
          `${corpus}, trustworthy ${trustworthy}`,
          one.ranking,
          ...figureCells(one.trustworthy),
        ])),
  ]);
  return [
    ...table(['queries', 'ranking', 'hit@1', 'hit@3', 'hit@5', 'MRR'], withGaps(rows)),
    '',
    'In brackets: 95 % intervals (bootstrap over the queries). Blind: the subject stands nowhere in the raw transcripts.',
    'Trustworthy: a right session edited files, and the commit was made during it or within an hour after it.',
    ...evaluations.map(
      ({ corpus, queries, trustworthy }) => `${corpus}: ${trustworthy} of ${queries} labels are trustworthy.`,
    ),
    ...evaluations
      .filter(({ blind }) => blind === 0)
      .map(({ corpus }) => `${corpus}: every query stands in some transcript, so none is blind.`),
    ...setLines(evaluations),
    '',
    ...certaintyLines(
      evaluations.flatMap(({ corpus, certainty }) =>
        certainty.map(({ mode, figures }) => ({ name: `${corpus}, ${mode}`, figures })),
      ),
    ),
  ].join('\n');
}

function setLines(evaluations: Evaluation[]): string[] {
  const rows = evaluations.flatMap(({ corpus, sets }) =>
    sets.flatMap(({ set, mode, all, trustworthy }) => [
      [`${corpus}, ${mode}`, `${set}, ${all.queries}`, ...partCells(all)],
      ...(trustworthy === null
        ? []
        : [[`${corpus}, ${mode}`, `  trustworthy, ${trustworthy.queries}`, ...partCells(trustworthy)]]),
    ]),
  );
  if (rows.length === 0) return [];
  const headers = [
    'set',
    'queries',
    'hit@1',
    'hit@3',
    'hit@5',
    'MRR',
    'badge',
    'badge right',
    'nothing fits',
  ];
  return [
    '',
    ...table(headers, withGaps(rows)),
    '',
    'Badge: share of the queries whose first result is marked Recommended. Nothing fits: share with "nothing fits" above a right session among the first five.',
  ];
}

function partCells({ figures, badge, badgeRight, nothingAboveRight }: SetPart): string[] {
  return [
    ...figureCells(figures),
    ...shownCells({ shown: badge, right: badgeRight }),
    intervalCell(nothingAboveRight),
  ];
}

export function figureCells(figures: Figures | null): string[] {
  if (figures === null) return ['not run: no model'];
  return [figures.hit1, figures.hit3, figures.hit5, figures.mrr].map(intervalCell);
}
