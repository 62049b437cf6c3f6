import { intervalCell, table, withGaps } from '../tables.ts';
import type { Score } from './score-benchmark.ts';

export function scoreReport(scores: Score[]): string {
  const rows = scores.map(({ set, group, queries, tool, missing, hit1, hit5, mrr }) => [
    `${set}, ${group} ${queries}`,
    missing === 0 ? tool : `${tool} (${missing} not ranked)`,
    ...[hit1, hit5, mrr].map(intervalCell),
  ]);
  return [
    ...table(['queries', 'tool', 'hit@1', 'hit@5', 'MRR'], withGaps(rows)),
    '',
    'In brackets: 95 % intervals (bootstrap over the queries). Trustworthy: only sessions that edited files and whose commit was made',
    'during them or within an hour count as right. Blind: the words stand in no line of a right session. A group that is like all is left out.',
  ].join('\n');
}
