import { ranTests, testsPassed } from '../../../domain/session/test-runs.ts';
import type { Ending } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { isRecord, text } from './read-value.ts';

/** How the conversation ended: who spoke last, and how its last run of tests went. */
export function readEnding(path: string): Ending {
  const ending: Ending = { answered: null, tests: null };
  const running = new Set<string>();
  readLines(path, 0, 0, (line) => {
    const value = line.includes('"message"') ? parse(line) : null;
    if (!isRecord(value) || value.isSidechain === true || value.isMeta === true) return true;
    const content = isRecord(value.message) ? value.message.content : null;
    if (value.type === 'assistant') ending.answered = value.isApiErrorMessage !== true;
    if (value.type === 'user' && typeof content === 'string') ending.answered = false;
    for (const block of Array.isArray(content) ? content : []) {
      if (!isRecord(block)) continue;
      if (block.type === 'tool_use' && isRecord(block.input) && ranTests(text(block.input.command)))
        running.add(text(block.id));
      if (block.type === 'tool_result' && running.delete(text(block.tool_use_id)))
        ending.tests = testsPassed(textOf(block.content), block.is_error === true) ? 'passed' : 'failed';
    }
    return true;
  });
  return ending;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isRecord(block) ? text(block.text) : '')).join('\n');
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    // Indexing counts corrupt lines.
    return null;
  }
}
