import { figureCells } from '../report.ts';
import { table, withGaps } from '../tables.ts';
import type { RerankFigures } from './evaluate-rerank.ts';

export function rerankReport(name: string, all: RerankFigures[]): string {
  const rows = all.flatMap(({ corpus, set, queries, weights }) =>
    weights.map(({ weight, figures }) => [
      `${corpus}, ${set}, ${queries}`,
      weight === null ? 'alone' : String(weight),
      ...figureCells(figures),
    ]),
  );
  const times = all.map(({ corpus, set, queries, missed, median }) => [
    `${corpus}, ${set}`,
    `${Math.round(median)} ms`,
    `${missed} of ${queries}`,
  ]);
  return [
    `Reranked by ${name}. Weight 0: without it; 1: as the product does.`,
    '',
    ...table(['set, queries', 'weight', 'hit@1', 'hit@3', 'hit@5', 'MRR'], withGaps(rows)),
    '',
    ...table(['set', 'median of a search', 'not reranked'], times),
  ].join('\n');
}
