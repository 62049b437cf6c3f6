import { type RequestUsage, totalOf } from '../../../domain/usage/usage.ts';
import type { UsagePosition } from '../../../ports/usage/usage-records.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asCount, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';

/**
 * See TranscriptSource.readUsage. Claude Code writes a line for each part of an answer, with the answer's id and its usage so far. The
 * largest numbers are those of the whole answer, if one of the lines was written at its end: it says why the answer stopped.
 */
export function readUsage(
  path: string,
  from: UsagePosition | null,
  onRequest: (request: RequestUsage) => void,
): UsagePosition {
  const { end } = readLines(path, from?.offset ?? 0, 0, (line, _number, _offset, complete) => {
    const object = line.includes(MARK) ? asRecord(parseJson(line.toString('utf8'))) : null;
    const request = object === null ? null : requestOf(answerIn(object), isCopy(object));
    if (request !== null) onRequest(request);
    return complete;
  });
  return { offset: end, state: '' };
}

const MARK = Buffer.from('"usage"');

/** Some versions write the answers of subagents only as progress of the tool that called them. */
function answerIn(line: Record<string, unknown>): Record<string, unknown> {
  return (line.type === 'progress' ? asRecord(asRecord(line.data)?.message) : null) ?? line;
}

function requestOf(line: Record<string, unknown>, copied: boolean): RequestUsage | null {
  const message = asRecord(line.message);
  const usage = asRecord(message?.usage);
  const id = asText(message?.id) ?? asText(line.uuid);
  const at = Date.parse(String(line.timestamp));
  if (line.type !== 'assistant' || usage === null || id === null || Number.isNaN(at)) return null;
  const tokens = {
    input: asCount(usage.input_tokens),
    output: asCount(usage.output_tokens),
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite: asCount(usage.cache_creation_input_tokens),
    cacheWriteHour: asCount(asRecord(usage.cache_creation)?.ephemeral_1h_input_tokens),
  };
  if (totalOf(tokens) === 0) return null;
  const partial = message?.stop_reason === null;
  return { id, at, model: asText(message?.model), copied, partial, ...tokens };
}

/** Forks made by older versions have no marks. */
function isCopy({ forkedFrom, requestSessionId, sessionId }: Record<string, unknown>): boolean {
  return forkedFrom !== undefined || (requestSessionId !== undefined && requestSessionId !== sessionId);
}
