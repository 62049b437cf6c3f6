import type { Ink } from './ink.ts';
import { displayWidth, padEnd, padStart, truncate } from './width.ts';

export interface Column {
  header: string;
  align?: 'right';
  /** Maximum width. */
  max?: number;
  /** Shrinks first and takes the remaining width. At most one column. */
  flexible?: boolean;
  paint?: (text: string) => string;
}

const GAP = '  ';

/** A table that fits `ink.columns`. Cells are plain one-line text. */
export function tableLines(columns: Column[], rows: string[][], ink: Ink): string[] {
  const widths = columnWidths(columns, rows, ink.columns);
  const line = (cells: string[], painted: boolean) =>
    columns
      .map((column, i) => {
        const text = truncate(cells[i] ?? '', widths[i] ?? 0, ink.symbols.ellipsis);
        const last = i === columns.length - 1 && column.align !== 'right';
        const cell =
          column.align === 'right'
            ? padStart(text, widths[i] ?? 0)
            : last
              ? text
              : padEnd(text, widths[i] ?? 0);
        return painted && column.paint ? column.paint(cell) : cell;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map(({ header }) => header),
      false,
    ),
    ...rows.map((row) => line(row, true)),
  ];
}

function columnWidths(columns: Column[], rows: string[][], total: number): number[] {
  const widths = columns.map(({ header, max = Number.POSITIVE_INFINITY }, i) =>
    Math.min(max, Math.max(displayWidth(header), ...rows.map((row) => displayWidth(row[i] ?? '')))),
  );
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible === -1) return widths;
  const others = widths.reduce((sum, width, i) => (i === flexible ? sum : sum + width), 0);
  widths[flexible] = Math.max(
    4,
    Math.min(widths[flexible] ?? 0, total - others - GAP.length * (columns.length - 1)),
  );
  return widths;
}
