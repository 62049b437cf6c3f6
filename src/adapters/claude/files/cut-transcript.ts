import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CutRequest } from '../../../ports/transcript-source.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { findLateResults } from '../transcript/find-late-results.ts';
import { topLevelFields } from '../transcript/top-level-fields.ts';

/**
 * Copies a transcript's lines up to a byte offset to `target` under another session id; returns `target`. Also copies later
 * results of calls before the offset: an agent cannot continue from a call without a result. Never changes the original.
 */
export function cutTranscript(path: string, target: string, request: CutRequest): string {
  const ids = { sessionId: request.sessionId, origin: basename(path, '.jsonl') };
  return writeAtomically(target, (file) => {
    const results = findLateResults(path, request.end);
    const last = Math.max(request.end - 1, ...results);
    readLines(path, 0, 0, (line, _number, offset, complete) => {
      if (offset < request.end || results.has(offset)) {
        writeFileSync(file, replaceIds(line, ids));
        if (complete) writeFileSync(file, NEWLINE);
      }
      return offset < last;
    });
  });
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
