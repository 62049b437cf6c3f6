import { isRecord } from '../../../domain/is-record.ts';
import { ranTests, testsPassed } from '../../../domain/session/test-runs.ts';
import { estimateTokens } from '../../../domain/text/tokens.ts';
import type { ContextSize, Ending } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asList, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { isMeta } from './joined.ts';

/** Whether the agent answered last, and whether the last test run passed. */
export function readEnding(path: string): Ending {
  const ending: Ending = { answered: null, tests: null };
  const running = new Set<unknown>();
  readLines(path, 0, 0, (line) => {
    const value = line.includes('"message"') ? parseJson(line.toString('utf8')) : null;
    if (!isRecord(value) || value.isSidechain === true || isMeta(value)) return true;
    const content = asRecord(value.message)?.content;
    if (value.type === 'assistant') ending.answered = value.isApiErrorMessage !== true;
    if (value.type === 'user' && typeof content === 'string') ending.answered = false;
    for (const block of asList(content)) {
      if (!isRecord(block)) continue;
      if (block.type === 'tool_use' && ranTests(asText(asRecord(block.input)?.command) ?? ''))
        running.add(block.id);
      if (block.type === 'tool_result' && running.delete(block.tool_use_id))
        ending.tests = testsPassed(outputText(block.content), block.is_error === true) ? 'passed' : 'failed';
    }
    return true;
  });
  return ending;
}

/** The context the agent would send next: the token count of the last answer, or the size of a compaction's summary. */
export function readContextSize(path: string, before = Number.POSITIVE_INFINITY): ContextSize | null {
  let size: ContextSize | null = null;
  readLines(path, 0, 0, (line, _number, offset) => {
    if (offset >= before) return false;
    if (!line.includes('"usage"') && !line.includes('"isCompactSummary"')) return true;
    const value = parseJson(line.toString('utf8'));
    if (!isRecord(value) || value.isSidechain === true || !isRecord(value.message)) return true;
    if (value.isCompactSummary === true) {
      const { content } = value.message;
      size = { tokens: estimateTokens(typeof content === 'string' ? content : ''), window: null };
    } else if (value.type === 'assistant') {
      const tokens = countTokens(asRecord(value.message.usage) ?? {});
      if (tokens > 0) size = { tokens, window: null };
    }
    return true;
  });
  return size;
}

function countTokens(usage: Record<string, unknown>): number {
  const parts = [
    usage.input_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.output_tokens,
  ];
  return parts.reduce<number>((sum, part) => sum + (asNumber(part) ?? 0), 0);
}

function outputText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => asText(asRecord(block)?.text) ?? '')
    .join('\n');
}
