import { writeFileSync } from 'node:fs';
import type { CutRequest } from '../../ports/transcript-source.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { recordsOfLine } from '../jsonl/objects-of-line.ts';
import { readLines } from '../jsonl/read-lines.ts';
import type { LinesFormat } from './lines-format.ts';

/** Copies a transcript's records before a byte offset to `target`, with records of its own where the format wants them. Never changes the original. */
export function cutLines(format: LinesFormat, path: string, target: string, request: CutRequest): string {
  const copy = {
    sessionId: request.sessionId,
    cwd: request.workingDirectory,
    origin: path,
    now: new Date().toISOString(),
  };
  return writeAtomically(target, (file) =>
    readLines(path, 0, 0, (line, number, offset) => {
      if (offset >= request.end) return false;
      const rows = recordsOfLine(line).map((row, at) => ({
        row,
        copied: format.copiedRow?.(row, copy, number === 1 && at === 0) ?? null,
      }));
      const isCopied = rows.some(({ copied }) => copied !== null);
      const texts = isCopied ? rows.map(({ row, copied }) => JSON.stringify(copied ?? row)) : [line];
      for (const text of texts) {
        writeFileSync(file, text);
        writeFileSync(file, NEWLINE);
      }
      return true;
    }),
  );
}

const NEWLINE = Buffer.from('\n');
