import type { SearchResult } from '../../domain/search-result.ts';
import type { Ink } from '../terminal/ink.ts';
import { type Column, tableLines } from '../terminal/table.ts';

/** The parts of a score with their weights, and the sum. */
export function explanationLines({ scores, score }: SearchResult, ink: Ink, width: number): string[] {
  const { dim } = ink.style;
  const columns: Column[] = [
    { header: 'score part', flexible: true },
    { header: 'value', align: 'right' },
    { header: 'weight', align: 'right' },
    { header: 'points', align: 'right', paint: ink.style.strong },
  ];
  const rows = Object.entries(scores.parts).map(([name, value]) =>
    partRow(name, value, scores.weights[name], ink),
  );
  const total = ['score', '', '', score.toFixed(3)];
  const [header = '', ...lines] = tableLines(columns, [...rows, total], { ...ink, columns: width });
  return [dim(header), ...lines];
}

function partRow(name: string, value: number, weight: number | undefined, { symbols }: Ink): string[] {
  const label = name.replaceAll('_', ' ');
  if (weight === undefined) return [label, value.toFixed(3), '', ''];
  return [label, value.toFixed(3), `${symbols.times} ${weight.toFixed(2)}`, (value * weight).toFixed(3)];
}
