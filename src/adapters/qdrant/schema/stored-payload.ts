import type { Agent } from '../../../domain/agent/agents.ts';
import { isMemory, type SessionPayload, type TextPayload } from '../../../domain/point/point.ts';
import { commitStarts } from '../../../domain/session/commit-hash.ts';
import type { Marker } from '../../../domain/session/session.ts';

/** Type of points with parts of transcripts. */
export const PART = 'archive';
/** Type of points that mark forgotten sessions. */
export const TOMBSTONE = 'tombstone';

/** Field of a session's point that lists the parts of its transcript. Replaced together with the session's state. */
export const MANIFEST = 'transcript';

/** Longest prefix of a session's id stored as a keyword. */
export const LONGEST_ID_PREFIX = 12;

/** Session fields repeated in all its points, so that one request can filter and sort any of them. */
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
  session_languages: string[];
  /** Milliseconds since 1970; null if unknown. */
  session_started_ms: number | null;
  /** Milliseconds since 1970; 0 if unknown, because points without a value cannot be sorted. */
  session_ended_ms: number;
}

interface SessionExtras extends SharedFields {
  month: string | null;
  id_prefixes: string[];
  file_names: string[];
  commit_starts: string[];
}

interface TextExtras extends SharedFields {
  /** Time of the point's last message, in milliseconds since 1970; if unknown absent, or 0 where points are sorted by it. */
  ended_ms?: number;
}

export type StoredSession = SessionPayload & SessionExtras;
type StoredText = TextPayload & TextExtras;

/** The shared fields that a session's own record does not have. */
const ADDED_FIELDS = [
  'repo_name_folded',
  'session_branch',
  'session_tags',
  'session_markers',
  'session_languages',
  'session_started_ms',
  'session_ended_ms',
] as const satisfies (keyof SharedFields)[];

export const SHARED_FIELDS = [
  'agent',
  'machine',
  'repo_id',
  'repo_key',
  'repo_name',
  ...ADDED_FIELDS,
] as const satisfies (keyof SharedFields)[];

/** Older programs wrote `lexical_length`, `lexical_average` and `stale_tokens`. */
const EXTRA_FIELDS = [
  ...ADDED_FIELDS,
  'lexical_length',
  'lexical_average',
  'stale_tokens',
  'month',
  'id_prefixes',
  'file_names',
  'commit_starts',
  'ended_ms',
  MANIFEST,
];

/** For `with_payload`: everything except the fields this adapter adds. */
export const WITHOUT_EXTRAS = { exclude: EXTRA_FIELDS };

export function toStoredSession(session: SessionPayload): StoredSession {
  return {
    ...session,
    ...sharedFields(session),
    month: session.ended_at?.slice(0, 7) ?? null,
    id_prefixes: prefixesOf(session.session_id),
    file_names: [...new Set(session.files_touched.map(fileName))],
    commit_starts: [...new Set(session.commits.flatMap(commitStarts))],
  };
}

export function toStoredText(payload: TextPayload, session: SessionPayload): StoredText {
  const ended = payload.ended_at === null ? Number.NaN : Date.parse(payload.ended_at);
  return {
    ...payload,
    ...sharedFields(session),
    ended_ms: Number.isNaN(ended) ? (isMemory(payload) ? 0 : undefined) : ended,
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
    session_languages: session.languages ?? [],
    session_started_ms: Number.isNaN(started) ? null : started,
    session_ended_ms: Number.isNaN(ended) ? 0 : ended,
  };
}

/** The latest time that a Date can represent. */
const MAX_TIME = 8.64e15;

/** When a session ended, from any of its points. */
export function sessionEnd(payload: Record<string, unknown>): string | null {
  const { session_ended_ms: time } = payload;
  return typeof time === 'number' && time !== 0 && Math.abs(time) <= MAX_TIME
    ? new Date(time).toISOString()
    : null;
}

/** The last part of a path, with slashes of either kind. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function prefixesOf(id: string): string[] {
  return Array.from({ length: Math.min(id.length, LONGEST_ID_PREFIX) }, (_, at) => id.slice(0, at + 1));
}
