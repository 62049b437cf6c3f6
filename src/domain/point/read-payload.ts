import { AGENTS } from '../agent/agents.ts';
import { isRecord } from '../is-record.ts';
import { EVIDENCE, IDEA_KINDS, ORIGINS, RELATION_KINDS } from '../session/ideas.ts';
import { MARKERS, TITLE_SOURCES } from '../session/session.ts';
import type {
  ChunkPayload,
  IdeaPayload,
  IntentPayload,
  SessionPayload,
  SpanPayload,
  TextPayload,
} from './point.ts';

/**
 * Reads a payload from a store. Anyone with the server's key can write points, so a field of a wrong type or size is replaced by a
 * harmless value, and a payload without its identifying fields is null; `isWhole` is then false. Null fields, which the server drops, and
 * fields that an older program did not write are restored silently.
 * @param isSealed names are then opaque.
 */
export function readSessionPayload(payload: unknown, isSealed: boolean): Read<SessionPayload> {
  return read(payload, isSealed ? SEALED_SESSION : SESSION);
}

export function readTextPayload(payload: unknown, isSealed: boolean): Read<TextPayload> {
  const type = isRecord(payload) ? payload.type : null;
  if (type === 'intent') return read<IntentPayload>(payload, isSealed ? SEALED_INTENT : INTENT);
  if (type === 'idea') return read<IdeaPayload>(payload, isSealed ? SEALED_IDEA : IDEA);
  if (type === 'span') return read<SpanPayload>(payload, isSealed ? SEALED_SPAN : SPAN);
  return read<ChunkPayload>(payload, isSealed ? SEALED_CHUNK : CHUNK);
}

/** A copy without unknown fields. */
export function knownFields<P extends SessionPayload | TextPayload>(payload: P): P {
  const known = { session: SESSION, intent: INTENT, chunk: CHUNK, idea: IDEA, span: SPAN }[payload.type];
  return Object.fromEntries(Object.entries(payload).filter(([name]) => Object.hasOwn(known, name))) as P;
}

export interface Read<P> {
  payload: P | null;
  isWhole: boolean;
}

/** Works in place: copying a hundred payloads takes as long as reading them. */
function read<P extends object>(given: unknown, fields: Fields<P>): Read<P> {
  if (!isRecord(given)) return { payload: null, isWhole: false };
  let isWhole = true;
  for (const [name, { accepts, otherwise }] of Object.entries<Field>(fields)) {
    const value = given[name];
    if (value !== undefined && accepts(value)) continue;
    if (otherwise === null) return { payload: null, isWhole: false };
    const harmless = otherwise(value);
    if (value !== undefined && value !== null) isWhole = false;
    if (harmless === undefined) delete given[name];
    else given[name] = harmless;
  }
  return { payload: given as unknown as P, isWhole };
}

interface Field {
  accepts(value: unknown): boolean;
  /** The replacement for an invalid value; undefined drops the field. Null: the payload is invalid without it. */
  otherwise: ((value: unknown) => unknown) | null;
}

/** Has a rule for every field: a new field without one does not compile. */
type Fields<P> = { [Key in keyof P]-?: Field };

/** In UTF-16 units. Passages have some 4,000, unless one word is longer; lists name some thousand files. */
const LONGEST_TEXT = 1_000_000;
const LONGEST_LIST = 20_000;

const isText = (value: unknown) => typeof value === 'string' && value.length <= LONGEST_TEXT;
const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

const required = (accepts: Field['accepts']): Field => ({ accepts, otherwise: null });
const or = (accepts: Field['accepts'], harmless: unknown): Field => ({ accepts, otherwise: () => harmless });
const oneOf = (...values: unknown[]) => required((value) => values.includes(value));
const listOf = (accepts: Field['accepts']): Field => ({
  accepts: (value) => Array.isArray(value) && value.length <= LONGEST_LIST && value.every(accepts),
  otherwise: (value) => (Array.isArray(value) ? value.slice(0, LONGEST_LIST).filter(accepts) : []),
});

/** Ids are compared, shown and looked up; the longest ones written have some 300 characters. */
const id = required((value) => isText(value) && value !== '' && String(value).length <= 1000);
const text = or(isText, '');
const textOrNull = or(isText, null);
const timeOrNull = or(isTime, null);
const count = or(isCount, 0);

const common = {
  session_id: id,
  agent: oneOf(...AGENTS),
  machine: text,
  repo_id: text,
  repo_key: textOrNull,
  repo_name: text,
  content_hash: required(isText),
  markers: listOf((value) => MARKERS.some((marker) => marker === value)),
};
const textFields = { ...common, timestamp: timeOrNull, ended_at: timeOrNull, chunk_index: required(isCount) };
/** Sealed names are opaque. */
const sealed = { agent: required(isText), markers: listOf(isText) };

const INTENT: Fields<IntentPayload> = { ...textFields, type: oneOf('intent'), intent_text: required(isText) };
const CHUNK: Fields<ChunkPayload> = {
  ...textFields,
  type: oneOf('chunk'),
  content: required(isText),
  overlap: count,
  turn: count,
  subagent: or(isText, undefined),
};
const countOrNull = or(isCount, null);
const names = listOf(isText);
const IDEA: Fields<IdeaPayload> = {
  ...textFields,
  type: oneOf('idea'),
  kind: oneOf(...IDEA_KINDS),
  content: required(isText),
  confidence: or((value) => typeof value === 'number' && value >= 0 && value <= 1, 0),
  is_open: or((value) => typeof value === 'boolean', null),
  span: count,
  turn: count,
  line: count,
  quote: text,
  evidence: oneOf(...EVIDENCE),
  origin: oneOf(...ORIGINS),
  options: or((value) => Array.isArray(value) && value.every(isText), undefined),
  entities: names,
  relations: listOf(
    (value) =>
      isRecord(value) &&
      RELATION_KINDS.some((kind) => kind === value.kind) &&
      isCount(value.to) &&
      typeof value.confidence === 'number',
  ),
};
const SPAN: Fields<SpanPayload> = {
  ...textFields,
  type: oneOf('span'),
  parent: countOrNull,
  depth: count,
  name: required(isText),
  summary: text,
  first_turn: count,
  last_turn: count,
  first_line: count,
  last_line: count,
  branch: textOrNull,
  files: names,
  commits: names,
  entities: names,
};
const SESSION: Fields<SessionPayload> = {
  ...common,
  type: oneOf('session'),
  repo_path: text,
  working_directory: text,
  branch: textOrNull,
  title: text,
  title_source: or((value) => TITLE_SOURCES.some((source) => source === value), 'none'),
  started_at: timeOrNull,
  ended_at: timeOrNull,
  message_count: count,
  user_messages: count,
  assistant_messages: count,
  tool_calls: count,
  inherited_messages: count,
  files_touched: listOf(isText),
  languages: or((value) => Array.isArray(value) && value.every(isText), undefined),
  commits: listOf((value) => isRecord(value) && isText(value.hash) && isText(value.subject)),
  outcome: or((value) => ['committed', 'edited', 'discussed', 'empty'].includes(String(value)), 'discussed'),
  parent: or((value) => isRecord(value) && isText(value.session_id), null),
  continued_in: or(isText, undefined),
  continued_before: or((value) => Array.isArray(value) && value.every(isText), undefined),
  tags: listOf(isText),
  model: textOrNull,
  agent_version: textOrNull,
  jsonl_path: text,
  bytes: count,
  line_count: count,
  chunk_count: count,
  intent_count: count,
  subagents: or((value) => Array.isArray(value) && value.every(isText), undefined),
  subagents_left_out: or(isCount, undefined),
  rewound_turns: or((value) => Array.isArray(value) && value.every(isCount), undefined),
  archived: or((value) => value === true, undefined),
};
const SEALED_INTENT = { ...INTENT, ...sealed };
const SEALED_CHUNK = { ...CHUNK, ...sealed };
const SEALED_IDEA = { ...IDEA, ...sealed, kind: required(isText) };
const SEALED_SPAN = { ...SPAN, ...sealed };
const SEALED_SESSION = { ...SESSION, ...sealed };
