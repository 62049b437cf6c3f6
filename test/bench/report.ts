import { createInk } from '../../src/cli/terminal/ink.ts';
import { type Column, tableLines } from '../../src/cli/terminal/table.ts';
import { isMet, type Quantity, type Row, ratioOf } from './bench.ts';

const COLUMNS: Column[] = [
  { header: 'what' },
  { header: 'measured', align: 'right' },
  { header: 'floor', align: 'right' },
  { header: 'ratio', align: 'right' },
  { header: 'target', align: 'right' },
  { header: '' },
];

export function reportText(rows: Row[]): string {
  const ink = createInk({ columns: 200, color: 0, unicode: true });
  return tableLines(COLUMNS, rows.map(cellsOf), ink).join('\n');
}

function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  const met = isMet(row);
  return [
    row.what,
    quantityText(row.measured),
    row.floor === null ? '' : quantityText(row.floor),
    ratio === null ? '' : ratio.toFixed(2),
    targetText(row),
    met === null ? '' : met ? 'met' : 'missed',
  ];
}

function quantityText({ value, unit, label }: Quantity): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const number = Number(value.toFixed(digits)).toLocaleString('en-US', { minimumFractionDigits: digits });
  return `${label === undefined ? '' : `${label} `}${number} ${unit}`;
}

function targetText({ target, measured }: Row): string {
  if (target === null) return '';
  const unit = target.of === 'ratio' ? '× floor' : ` ${measured.unit}`;
  return target.most === undefined ? `≥ ${target.least ?? ''}${unit}` : `≤ ${target.most}${unit}`;
}
