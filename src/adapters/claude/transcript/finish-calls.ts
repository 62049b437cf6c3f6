import { readLines } from '../../jsonl/read-lines.ts';
import { isRecord } from './read-value.ts';

/** Lines behind a cut in which results are looked for. */
const FARTHEST_LINES = 500;

/**
 * Offsets of the lines behind `end` that bring the results of calls made before it: a prompt that was queued while a call
 * ran stands between the two. Empty when no call is open, or when its result never came.
 */
export function finishCalls(path: string, end: number): Set<number> {
  const open = new Set<string>();
  const extra = new Set<number>();
  let behind = 0;
  let over = false;
  readLines(path, 0, 0, (line, _number, offset) => {
    if (over) return true;
    if (offset >= end) {
      behind += 1;
      over = open.size === 0 || behind > FARTHEST_LINES;
      if (over) return true;
    }
    const kind = noteCalls(line, open);
    if (kind === 'prompt') {
      open.clear();
      extra.clear();
      over = offset >= end;
    } else if (offset >= end && kind === 'part of the turn') {
      extra.add(offset);
    }
    return true;
  });
  return open.size === 0 ? extra : new Set();
}

type LineKind = 'part of the turn' | 'prompt' | 'beside';

/** Keeps book of calls without a result; says whether the line goes on with the turn. */
function noteCalls(line: Buffer, open: Set<string>): LineKind {
  const value = parse(line);
  if (!isRecord(value) || typeof value.uuid !== 'string' || value.isSidechain === true) return 'beside';
  const message = isRecord(value.message) ? value.message : null;
  const content = Array.isArray(message?.content) ? message.content : [];
  let results = 0;
  for (const block of content) {
    if (!isRecord(block)) continue;
    if (block.type === 'tool_use' && typeof block.id === 'string') open.add(block.id);
    if (block.type === 'tool_result' && typeof block.tool_use_id === 'string') {
      open.delete(block.tool_use_id);
      results += 1;
    }
  }
  const isPrompt = value.type === 'user' && results === 0 && value.isMeta !== true;
  return isPrompt ? 'prompt' : 'part of the turn';
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    // A corrupt line opens and closes no call.
    return null;
  }
}
