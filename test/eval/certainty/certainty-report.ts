import type { Interval } from '../metrics.ts';
import { intervalCell, share, table, withGaps } from '../tables.ts';
import type { CertaintyFigures } from './measure.ts';

/** The certainty's figures as tables. */
export function certaintyLines(all: { name: string; figures: CertaintyFigures }[]): string[] {
  return [
    ...table(
      ['certainty', 'AUC', 'Brier', 'ECE', 'nothing fits', 'above right', 'no answer', 'right', 'has none'],
      all.map(({ name, figures: { auc, brier, calibrationError, nothing } }) => [
        name,
        ...[share(auc), share(brier), intervalCell(calibrationError)],
        ...[nothing.answerable, nothing.aboveRight, nothing.unanswerable].map(intervalCell),
        ...[nothing.right, nothing.noAnswer].map(share),
      ]),
    ),
    '',
    ...table(
      ['badge', 'queries', 'shown', 'right'],
      withGaps(
        all.flatMap(({ name, figures }) => [
          ...figures.badge.map(({ group, figures: { queries, ...shown } }) => [
            name,
            `${group}, ${queries}`,
            ...shownCells(shown),
          ]),
          ...figures.falseBadge.map(({ group, queries, shown }) => [
            name,
            `${group}, ${queries}`,
            intervalCell(shown),
            '',
          ]),
        ]),
      ),
    ),
    '',
    'AUC, Brier and calibration error (ECE) over queries with an answer (.66), the same with their right sessions taken out (.17) and foreign ones (.17);',
    'of each kind, whole queries .6, two or three words .3, one word .1.',
    'Nothing fits: on queries with an answer; there above a right session among the first five; on queries without. Where one query in five has no answer:',
    'right: how often no right session is among the first five when it is shown; has none: how often the query has no answer.',
  ];
}

export function shownCells({ shown, right }: { shown: Interval; right: Interval | null }): string[] {
  return [intervalCell(shown), right === null ? '-' : intervalCell(right)];
}
