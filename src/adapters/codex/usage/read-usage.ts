import { type RequestUsage, type Tokens, totalOf } from '../../../domain/usage/usage.ts';
import type { UsagePosition } from '../../../ports/usage/usage-records.ts';
import { asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { readLines } from '../files/read-file.ts';
import { isOlderTurn } from '../transcript/find-inheritance.ts';
import { readMeta } from '../transcript/read-head.ts';

/**
 * See TranscriptSource.readUsage. Codex repeats a session's totals after each request, so a request's usage is the difference from the
 * previous totals. A fork's copied lines keep their turn ids, so a turn and its totals identify a request.
 */
export function readUsage(
  path: string,
  from: UsagePosition | null,
  onRequest: (request: RequestUsage) => void,
): UsagePosition {
  const sessionId = readMeta(path)?.id ?? path;
  let at = from === null ? START : stateIn(from.state);
  const { end } = readLines(path, from?.offset ?? 0, 0, (line, _number, _offset, complete) => {
    if (!MARKS.some((mark) => line.includes(mark))) return complete;
    const object = asRecord(parseJson(line.toString('utf8')));
    const payload = asRecord(object?.payload);
    if (payload === null) return complete;
    if (object?.type === 'turn_context')
      at = { ...at, turn: asText(payload.turn_id) ?? at.turn, model: asText(payload.model) ?? at.model };
    const counted = object?.type === 'event_msg' ? countedIn(payload) : null;
    const time = Date.parse(String(object?.timestamp));
    if (counted === null || Number.isNaN(time)) return complete;
    const tokens = used(counted, at.total);
    const turn = at.turn ?? sessionId;
    const { input, output, cacheRead } = counted.total;
    if (totalOf(tokens) > 0)
      onRequest({
        id: `${turn}:${input}:${cacheRead}:${output}`,
        at: time,
        model: at.model,
        copied: isOlderTurn(turn, sessionId),
        ...tokens,
      });
    at = { ...at, total: counted.total };
    return complete;
  });
  return { offset: end, state: JSON.stringify(at) };
}

interface State {
  turn: string | null;
  model: string | null;
  total: Tokens | null;
}

const START: State = { turn: null, model: null, total: null };
const MARKS = ['"turn_context"', '"token_count"'].map((mark) => Buffer.from(mark));

function stateIn(text: string): State {
  return { ...START, ...(asRecord(parseJson(text)) as Partial<State> | null) };
}

function countedIn(payload: Record<string, unknown>): { total: Tokens; last: Tokens } | null {
  const info = payload.type === 'token_count' ? asRecord(payload.info) : null;
  const total = asRecord(info?.total_token_usage);
  if (total === null) return null;
  const last = asRecord(info?.last_token_usage);
  return { total: tokensIn(total), last: tokensIn(last ?? total) };
}

/** Codex's input includes what was read from the cache; its output includes the reasoning. */
function tokensIn(usage: Record<string, unknown>): Tokens {
  const number = (value: unknown) => Math.max(0, Math.trunc(asNumber(value) ?? 0));
  const cacheRead = number(usage.cached_input_tokens);
  const input = Math.max(0, number(usage.input_tokens) - cacheRead);
  return { input, output: number(usage.output_tokens), cacheRead, cacheWrite: 0 };
}

/**
 * The difference from the previous totals. Without previous totals, the request's own numbers: a fork's totals may begin with its
 * parent's, and a resumed session's with 0.
 */
function used({ total, last }: { total: Tokens; last: Tokens }, before: Tokens | null): Tokens {
  if (before === null || sum(total) < sum(before)) return last;
  return {
    input: Math.max(0, total.input - before.input),
    output: Math.max(0, total.output - before.output),
    cacheRead: Math.max(0, total.cacheRead - before.cacheRead),
    cacheWrite: 0,
  };
}

function sum({ input, output, cacheRead }: Tokens): number {
  return input + output + cacheRead;
}
