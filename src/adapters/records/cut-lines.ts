import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { CutRequest } from '../../ports/transcript-source.ts';
import { readLines } from '../jsonl/read-lines.ts';
import { asRecord, parseJson } from '../jsonl/read-value.ts';
import type { LinesFormat } from './lines-format.ts';

/** Copies a transcript's records before a byte offset to `target`, with a first record of its own. Never changes the original. */
export function cutLines(format: LinesFormat, path: string, target: string, request: CutRequest): string {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeCopy(format, path, temporary, request);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof SmartForkError) throw error;
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${target}: ${errorText(error)}`, {
      hint: 'Check that the folder is writable and the disk is not full.',
      cause: error,
    });
  }
  return target;
}

function writeCopy(format: LinesFormat, path: string, target: string, request: CutRequest): void {
  const file = openSync(target, 'wx', 0o600);
  const copy = {
    sessionId: request.sessionId,
    cwd: request.workingDirectory,
    origin: path,
    now: new Date().toISOString(),
  };
  try {
    readLines(path, 0, 0, (line, number, offset) => {
      if (offset >= request.end) return false;
      const head = number === 1 ? asRecord(parseJson(line.toString('utf8'))) : null;
      const text =
        head === null ? line : Buffer.from(JSON.stringify(format.copiedHead?.(head, copy) ?? head));
      writeSync(file, text);
      writeSync(file, NEWLINE);
      return true;
    });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const NEWLINE = Buffer.from('\n');
