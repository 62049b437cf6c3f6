import type { ContextSize } from '../../../ports/transcript-source.ts';
import { asNumber, asRecord, parseJson } from '../../jsonl/read-value.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';

/** Codex's token count after the last answer, with the model's context window. */
export function readContextSize(files: Rollouts, before = Number.POSITIVE_INFINITY): ContextSize | null {
  let size: ContextSize | null = null;
  readLines(files, 0, 0, (line, _number, offset) => {
    if (offset >= before) return false;
    if (!line.includes('"token_count"')) return true;
    const payload = asRecord(asRecord(parseJson(line.toString('utf8')))?.payload);
    const info = asRecord(payload?.info);
    const tokens = asNumber(asRecord(info?.last_token_usage)?.total_tokens);
    if (payload?.type === 'token_count' && tokens !== null)
      size = { tokens, window: asNumber(info?.model_context_window) };
    return true;
  });
  return size;
}
