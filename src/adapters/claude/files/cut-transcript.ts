import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import type { CutRequest } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { findLateResults } from '../transcript/find-late-results.ts';
import { topLevelFields } from '../transcript/top-level-fields.ts';

/**
 * Copies a transcript's lines up to a byte offset to `target` under another session id; returns `target`. Also copies later
 * results of calls before the offset: an agent cannot continue from a call without a result. Never changes the original.
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
  const results = findLateResults(path, end);
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
 * Replaces a line's session id; every other byte stays. An answer also gets the id of the session it was copied from, in the same
 * field and place as in Claude Code's own forks, so that the copy names its parent.
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
    hint: 'Check that the folder is writable and the disk is not full.',
    cause,
  });
}
