import { isRecord } from '../../../domain/is-record.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asList, asRecord, parseJson } from '../../jsonl/read-value.ts';
import { isMeta } from './joined.ts';

/** Number of lines after a cut that are searched for results. */
const MAX_LINES = 500;

/**
 * Offsets of the lines after `end` with the results of calls made before it: a prompt queued during a call stands between the two.
 * Empty if no call is open, or if a result is missing.
 */
export function findLateResults(path: string, end: number): Set<number> {
  const open = new Set<string>();
  const results = new Set<number>();
  let after = 0;
  readLines(path, 0, 0, (line, _number, offset) => {
    if (offset >= end) {
      after += 1;
      if (open.size === 0 || after > MAX_LINES) return false;
    }
    const kind = trackCalls(line, open);
    if (kind === 'prompt') {
      open.clear();
      results.clear();
      return offset < end;
    }
    if (offset >= end && kind === 'part of the turn') results.add(offset);
    return true;
  });
  return open.size === 0 ? results : new Set();
}

type LineKind = 'part of the turn' | 'prompt' | 'other';

/** Updates the set of calls without a result; returns whether the line continues the turn. */
function trackCalls(line: Buffer, open: Set<string>): LineKind {
  const value = parseJson(line.toString('utf8'));
  if (!isRecord(value) || typeof value.uuid !== 'string' || value.isSidechain === true) return 'other';
  let results = 0;
  for (const block of asList(asRecord(value.message)?.content)) {
    if (!isRecord(block)) continue;
    if (block.type === 'tool_use' && typeof block.id === 'string') open.add(block.id);
    if (block.type === 'tool_result' && typeof block.tool_use_id === 'string') {
      open.delete(block.tool_use_id);
      results += 1;
    }
  }
  const isPrompt = value.type === 'user' && results === 0 && !isMeta(value);
  return isPrompt ? 'prompt' : 'part of the turn';
}
