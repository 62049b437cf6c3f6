import type { SkippedLine } from '../../ports/transcript-source.ts';
import { objectsOfLine } from '../jsonl/objects-of-line.ts';
import { asRecord } from '../jsonl/read-value.ts';
import type { Row } from './row-format.ts';

/** A record, and its line, counted from 1. */
export interface LineRow {
  line: number;
  row: Row;
}

/** The records of a transcript of lines that is read as a whole. One without a single record is lost as a whole. */
export function rowsOfText(text: string): { rows: LineRow[]; unread: SkippedLine[] } {
  const unread: SkippedLine[] = [];
  const lines = text.split('\n');
  const rows = lines.flatMap((line, at) =>
    (line.trim() === '' ? [] : objectsOfLine(line)).flatMap((value): LineRow[] => {
      const row = asRecord(value);
      if (row !== null) return [{ line: at + 1, row }];
      // The agent may still be writing a line without an end.
      const isOnly = lines.length === 1;
      if (at < lines.length - 1 || isOnly)
        unread.push({ line: at + 1, reason: value === undefined ? 'not JSON' : 'not an object' });
      return [];
    }),
  );
  return { rows, unread };
}
