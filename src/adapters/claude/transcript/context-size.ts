import { estimateTokens } from '../../../domain/text/tokens.ts';
import type { ContextSize } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { isRecord } from './read-value.ts';

/** What the agent would send when it goes on: as the last answer counted it, or what a compaction left. */
export function contextSize(path: string): ContextSize | null {
  let size: ContextSize | null = null;
  readLines(path, 0, 0, (line) => {
    if (!line.includes('"usage"') && !line.includes('"isCompactSummary"')) return true;
    const value = parse(line);
    if (!isRecord(value) || value.isSidechain === true || !isRecord(value.message)) return true;
    if (value.isCompactSummary === true) {
      const { content } = value.message;
      size = { tokens: estimateTokens(typeof content === 'string' ? content : ''), window: null };
    } else if (value.type === 'assistant' && isRecord(value.message.usage)) {
      const tokens = total(value.message.usage);
      if (tokens > 0) size = { tokens, window: null };
    }
    return true;
  });
  return size;
}

function total(usage: Record<string, unknown>): number {
  const parts = [
    usage.input_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
    usage.output_tokens,
  ];
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    // Indexing counts corrupt lines.
    return null;
  }
}
