import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import type { CutRequest } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { finishCalls } from '../transcript/finish-calls.ts';
import { topLevelFields } from '../transcript/top-level-fields.ts';

/**
 * Copies a transcript's lines up to a byte offset to `target` under another session id; returns `target`. Results beyond the
 * offset are copied too when their calls stand before it: an agent cannot go on from a call without a result.
 * The original is only read.
 */
export function cutTranscript(path: string, target: string, request: CutRequest): string {
  const origin = basename(path, '.jsonl');
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${process.pid}`);
  const ids = { sessionId: request.sessionId, origin };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeLines(path, temporary, request.end, (line) => replaceIds(line, ids));
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw notWritten(target, error);
  }
  return target;
}

function writeLines(path: string, target: string, end: number, edit: (line: Buffer) => Buffer): void {
  const results = finishCalls(path, end);
  const last = Math.max(end - 1, ...results);
  const file = openSync(target, 'wx', 0o600);
  try {
    readLines(path, 0, 0, (line, _number, offset, complete) => {
      if (offset < end || results.has(offset)) {
        writeSync(file, edit(line));
        if (complete) writeSync(file, NEWLINE);
      }
      return offset < last;
    });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const NEWLINE = Buffer.from('\n');

/**
 * A line under another session id; every other byte stays. An answer gets the id of the session it was copied from, in the
 * field and the place where Claude Code's own forks have it, so that the copy names its parent.
 */
function replaceIds(line: Buffer, ids: { sessionId: string; origin: string }): Buffer {
  const text = line.toString('latin1');
  let edited = '';
  let at = 0;
  for (const fields of topLevelFields(text)) {
    const id = fields.get('sessionId');
    if (id === undefined || text[id.start] !== '"') continue;
    const type = fields.get('type');
    const isAnswer = type !== undefined && text.slice(type.start, type.end) === '"assistant"';
    const isMarked = fields.has('requestSessionId') || fields.has('forkedFrom');
    const mark = isAnswer && !isMarked ? `,"requestSessionId":${JSON.stringify(ids.origin)}` : '';
    edited += text.slice(at, id.start) + JSON.stringify(ids.sessionId) + mark;
    at = id.end;
  }
  return at === 0 ? line : Buffer.from(edited + text.slice(at), 'latin1');
}

function notWritten(target: string, cause: unknown): SmartForkError {
  if (cause instanceof SmartForkError) return cause;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${target}: ${errorText(cause)}`, {
    hint: 'Check that the folder is writable and that the disk has room.',
    cause,
  });
}
