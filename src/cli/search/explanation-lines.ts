import type { SearchResponse, SearchResult } from '../../domain/search-result.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Ink } from '../terminal/ink.ts';
import { type Column, tableLines } from '../terminal/table.ts';

type Phrased = Pick<SearchResponse, 'query' | 'also'>;

/** The parts of a score with their weights, and the sum; then the score with each phrasing. */
export function explanationLines(
  { scores, score }: SearchResult,
  { query, also = [] }: Phrased,
  ink: Ink,
  width: number,
): string[] {
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
  const found = scores.phrasings ?? [];
  if (found.length < 2) return [dim(header), ...lines];
  return [dim(header), ...lines, ...phrasingLines([query, ...also], found, ink, width)];
}

function phrasingLines(texts: string[], found: number[], ink: Ink, columns: number): string[] {
  const rows = texts.map((text, at) => [sanitizeLine(text), (found[at] ?? 0).toFixed(3)]);
  const heads: Column[] = [
    { header: 'found by', flexible: true },
    { header: 'score alone', align: 'right' },
  ];
  const [header = '', ...lines] = tableLines(heads, rows, { ...ink, columns });
  return [ink.style.dim(header), ...lines];
}

function partRow(name: string, value: number, weight: number | undefined, { symbols }: Ink): string[] {
  const label = name.replaceAll('_', ' ');
  if (weight === undefined) return [label, value.toFixed(3), '', ''];
  return [label, value.toFixed(3), `${symbols.times} ${weight.toFixed(2)}`, (value * weight).toFixed(3)];
}
