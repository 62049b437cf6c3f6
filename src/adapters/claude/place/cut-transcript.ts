import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import type { CutRequest } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { finishCalls } from '../transcript/finish-calls.ts';
import { replaceIds } from './replace-ids.ts';

const NEWLINE = Buffer.from('\n');

/**
 * Copies a transcript's lines up to a byte offset to `target` under another session id; returns `target`. The call's
 * results that the offset would cut off from their calls come along: an agent cannot go on from a call without its result.
 * The original is only read.
 */
export function cutTranscript(path: string, target: string, request: CutRequest): string {
  const origin = basename(path, '.jsonl');
  const folder = dirname(target);
  const aside = join(folder, `.${basename(target)}.${process.pid}`);
  const ids = { sessionId: request.sessionId, origin };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeLines(path, aside, request.end, (line) => replaceIds(line, ids));
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { force: true });
    throw notWritten(target, error);
  }
  return target;
}

function writeLines(path: string, target: string, end: number, edit: (line: Buffer) => Buffer): void {
  const extra = finishCalls(path, end);
  const file = openSync(target, 'wx', 0o600);
  try {
    readLines(path, 0, 0, (line, _number, offset, complete) => {
      if (offset < end || extra.has(offset)) {
        writeSync(file, edit(line));
        if (complete) writeSync(file, NEWLINE);
      }
      return true;
    });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function notWritten(target: string, cause: unknown): SmartForkError {
  if (cause instanceof SmartForkError) return cause;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${target}: ${errorText(cause)}`, {
    hint: 'Check that the folder is writable and that the disk has room.',
    cause,
  });
}
