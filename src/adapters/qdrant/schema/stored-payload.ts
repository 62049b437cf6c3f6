import type { ChunkPayload, IntentPayload, SessionPayload } from '../../../domain/point/point.ts';
import type { Agent, Marker } from '../../../domain/session/session.ts';

/** Length of the beginnings of a session's id that are kept as keywords. */
export const LONGEST_ID_PREFIX = 12;

/** What a session lends to all its points, so that one request can filter and order any of them. */
export interface SharedFields {
  agent: Agent;
  machine: string;
  repo_id: string;
  repo_key: string | null;
  repo_name: string;
  /** `repo_name` in lower case. */
  repo_name_folded: string;
  session_branch: string | null;
  session_tags: string[];
  session_markers: Marker[];
  /** Milliseconds since 1970; null when it is not known. */
  session_started_ms: number | null;
  /** Milliseconds since 1970; 0 when it is not known, since points without a value cannot be put in order. */
  session_ended_ms: number;
}

/** What the lexical vector was made with; see sparse.ts. */
export interface LexicalFields {
  lexical_length: number;
  lexical_average: number;
}

interface SessionExtras extends SharedFields, Partial<LexicalFields> {
  stale_tokens: boolean;
  month: string | null;
  id_prefixes: string[];
  file_names: string[];
}

interface TextExtras extends SharedFields, Partial<LexicalFields> {
  /** When the point's last message was; absent when that is not known. */
  ended_ms?: number;
}

export type StoredSession = SessionPayload & SessionExtras;
export type StoredText = (IntentPayload | ChunkPayload) & TextExtras;

const EXTRA_FIELDS = [
  'repo_name_folded',
  'session_branch',
  'session_tags',
  'session_markers',
  'session_started_ms',
  'session_ended_ms',
  'lexical_length',
  'lexical_average',
  'stale_tokens',
  'month',
  'id_prefixes',
  'file_names',
  'ended_ms',
  'transcript',
];

/** For `with_payload`: everything but what the adapter added. */
export const WITHOUT_EXTRAS = { exclude: EXTRA_FIELDS };

export function toStoredSession(
  session: SessionPayload,
  stale: boolean,
  lexical: LexicalFields | null,
): StoredSession {
  return {
    ...session,
    ...sharedFields(session),
    ...lexical,
    stale_tokens: stale,
    month: session.ended_at?.slice(0, 7) ?? null,
    id_prefixes: prefixesOf(session.session_id),
    file_names: [...new Set(session.files_touched.map(fileName))],
  };
}

export function toStoredText(
  payload: IntentPayload | ChunkPayload,
  session: SessionPayload,
  lexical: LexicalFields | null,
): StoredText {
  const ended = payload.ended_at === null ? Number.NaN : Date.parse(payload.ended_at);
  return {
    ...payload,
    ...sharedFields(session),
    ...lexical,
    ...(!Number.isNaN(ended) && { ended_ms: ended }),
  };
}

export function sharedFields(session: SessionPayload): SharedFields {
  const started = session.started_at === null ? Number.NaN : Date.parse(session.started_at);
  const ended = session.ended_at === null ? Number.NaN : Date.parse(session.ended_at);
  return {
    agent: session.agent,
    machine: session.machine,
    repo_id: session.repo_id,
    repo_key: session.repo_key,
    repo_name: session.repo_name,
    repo_name_folded: session.repo_name.toLowerCase(),
    session_branch: session.branch,
    session_tags: session.tags,
    session_markers: session.markers,
    session_started_ms: Number.isNaN(started) ? null : started,
    session_ended_ms: Number.isNaN(ended) ? 0 : ended,
  };
}

/** When a session ended, from any of its points. */
export function sessionEnd(payload: Record<string, unknown>): string | null {
  const { session_ended_ms: time } = payload;
  return typeof time === 'number' && time !== 0 ? new Date(time).toISOString() : null;
}

/** The last part of a path, whatever its slashes. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function prefixesOf(id: string): string[] {
  return Array.from({ length: Math.min(id.length, LONGEST_ID_PREFIX) }, (_, at) => id.slice(0, at + 1));
}
