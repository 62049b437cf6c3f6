import { asRecord, asText, parseJson } from '../../jsonl/read-value.ts';

/** The fields at the beginning of a line. */
interface LinePrefix {
  timestamp: string;
  /** Null in legacy mode: only lines in paginated mode are numbered. */
  ordinal: number | null;
  type: string;
  /** The payload's type if it comes first, as it does in every event. */
  payloadType: string | null;
}

export type Route =
  /** Nothing to index. */
  | 'skip'
  /** Parse only if it may report a commit. */
  | 'output'
  | 'parse';

/** Null for a line that is none of Codex's, and must be parsed. */
export function readPrefix(line: Buffer): LinePrefix | null {
  const match = PREFIX.exec(line.toString('latin1', 0, PREFIX_BYTES));
  if (!match?.[1] || !match[3]) return rewrittenPrefix(line);
  return {
    timestamp: match[1],
    ordinal: match[2] === undefined ? null : Number(match[2]),
    type: match[3],
    payloadType: match[4] ?? null,
  };
}

/** The same of a line that a repair wrote with other spaces, or its fields in another order. */
function rewrittenPrefix(line: Buffer): LinePrefix | null {
  const { timestamp, ordinal, type, payload } = asRecord(parseJson(line.toString('utf8'))) ?? {};
  if (typeof timestamp !== 'string' || typeof type !== 'string') return null;
  return {
    timestamp,
    ordinal: typeof ordinal === 'number' ? ordinal : null,
    type,
    payloadType: asText(asRecord(payload)?.type),
  };
}

/**
 * A transcript contains every message twice: as shown to the user (`event_msg`) and as sent to the model (`response_item`).
 * Messages are read from the former, which contains no instructions. Calls are read from `response_item` in legacy lines, which name
 * them nowhere else, and from completed items in numbered lines, where one line has the call, its result and its status.
 */
export function routeLine(prefix: LinePrefix, line: Buffer): Route {
  if (prefix.type === 'turn_context' || prefix.type === 'compacted') return 'parse';
  if (prefix.type === 'event_msg') return routeEvent(prefix);
  if (prefix.type !== 'response_item') return 'skip';
  if (prefix.ordinal !== null) return mayBeList(prefix, line) ? 'parse' : 'skip';
  if (prefix.payloadType === null || CALLS.has(prefix.payloadType)) return 'parse';
  return OUTPUTS.has(prefix.payloadType) ? 'output' : 'skip';
}

/** Whether a line may report a `git commit`. Cheaper than parsing it. */
export function mayReportCommit(line: Buffer): boolean {
  for (let at = line.indexOf(REPORT_MARK); at !== -1; at = line.indexOf(REPORT_MARK, at + 1)) {
    if (HASH_BEFORE.test(line.toString('latin1', Math.max(0, at - 41), at))) return true;
  }
  return false;
}

/** Whether a numbered line may be one of the few calls that are not items, an answer to one, or the reason for a refusal. */
function mayBeList({ payloadType }: LinePrefix, line: Buffer): boolean {
  if (payloadType === 'function_call') return LIST_MARKS.some((mark) => line.includes(mark));
  return OUTPUTS.has(payloadType ?? '') && (line.includes(ANSWER_MARK) || line.includes(REFUSAL_MARK));
}

const LIST_MARKS = ['update_plan', 'request_user_input'].map((name) => Buffer.from(`"${name}"`));
const ANSWER_MARK = Buffer.from('{\\"answers\\":');
const REFUSAL_MARK = Buffer.from(' rejected by ');

function routeEvent(prefix: LinePrefix): Route {
  if (prefix.payloadType === null || prefix.payloadType === 'item_completed') return 'parse';
  if (prefix.payloadType === ROLLBACK || prefix.payloadType === NAME) return 'parse';
  return prefix.ordinal === null && MESSAGES.has(prefix.payloadType) ? 'parse' : 'skip';
}

const PREFIX_BYTES = 160;
const PREFIX =
  /^\{"timestamp":"([^"\\]{1,40})",(?:"ordinal":(\d{1,15}),)?"type":"([a-z_]+)"(?:,"payload":\{(?:"type":"([a-z_]+)")?)?/;
/** The events of messages in legacy lines. */
export const MESSAGES = new Set(['user_message', 'agent_message']);
const ROLLBACK = 'thread_rolled_back';
const NAME = 'thread_name_updated';
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output']);
const REPORT_MARK = Buffer.from('] ');
const HASH_BEFORE = / [0-9a-f]{7,40}$/;
