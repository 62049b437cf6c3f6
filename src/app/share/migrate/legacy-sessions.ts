import { sha256 } from '../../../domain/point/hash.ts';
import type { Point, SessionPayload } from '../../../domain/point/point.ts';
import { emptyDraft } from '../../../domain/session/draft.ts';
import { type SessionIdentity, sessionPoint } from '../../../domain/session/record.ts';
import { titleOf } from '../../../domain/session/title.ts';
import { isoTime } from '../../../domain/text/iso-time.ts';
import type { LegacyPoint } from '../../../ports/legacy-collection.ts';

/** What points of the Python program say of a session. */
export interface LegacySession {
  session_id: string;
  repo_id: string;
  repo_name: string;
  repo_path: string | null;
  machine: string | null;
  /** ISO 8601 UTC: the one time that is known of it. */
  timestamp: string | null;
  content_hash: string | null;
  chunks: number;
  intents: number;
  /** Its first user message, not redacted; null where it is unknown. */
  prompt: string | null;
  /** Counted in its texts; null where they were not read. */
  messages: { user: number; assistant: number } | null;
}

/** Puts sessions together from their points, which come in any order. */
export function gatherSessions() {
  const sessions = new Map<string, LegacySession>();
  return {
    add(point: LegacyPoint): void {
      const session = sessions.get(point.session_id) ?? newSession(point);
      sessions.set(point.session_id, session);
      if (point.type === 'chunk') addChunk(session, point);
      else addIntent(session, point);
    },
    /** Newest first. */
    list(): LegacySession[] {
      return [...sessions.values()].sort(byTime);
    },
  };
}

export type GatheredSessions = ReturnType<typeof gatherSessions>;

/** Newest first, then by id: as every store lists them. */
export function byTime(
  a: Pick<LegacySession, 'timestamp' | 'session_id'>,
  b: Pick<LegacySession, 'timestamp' | 'session_id'>,
): number {
  const [one, other] = [a.timestamp ?? '', b.timestamp ?? ''];
  if (one !== other) return one < other ? 1 : -1;
  return a.session_id === b.session_id ? 0 : a.session_id < b.session_id ? 1 : -1;
}

/** Whether the text begins with a message of the user, and how many messages begin in it. */
export function countMarks(text: string): { beginsTurn: boolean; user: number; assistant: number } {
  const marks = text.match(/^(?:USER|ASSISTANT): /gm) ?? [];
  const user = marks.filter((mark) => mark.startsWith('USER')).length;
  return { beginsTurn: text.startsWith('USER: '), user, assistant: marks.length - user };
}

export function identityOf(session: LegacySession): SessionIdentity {
  return {
    session_id: session.session_id,
    agent: 'claude',
    machine: session.machine ?? 'unknown',
    repo_id: session.repo_id,
    repo_key: null,
    repo_name: session.repo_name,
    repo_path: session.repo_path ?? '',
  };
}

/** The session's record. What is not known of it is empty. */
export function recordOf(
  session: LegacySession,
  known: { prompt: string | null; chunks: number; intents: number },
): Point<SessionPayload> {
  const empty = emptyDraft();
  const draft = {
    ...empty,
    titles: { ...empty.titles, prompt: titleOf(known.prompt ?? '') || null },
    workingDirectory: session.repo_path,
    startedAt: session.timestamp,
    endedAt: session.timestamp,
    userMessages: session.messages?.user ?? 0,
    assistantMessages: session.messages?.assistant ?? 0,
  };
  const { chunks, intents } = known;
  const facts = { draft, markers: [], tags: [], path: '', bytes: 0, lines: 0, chunks, intents, parts: [] };
  const { id, payload } = sessionPoint(identityOf(session), facts);
  const content_hash = session.content_hash ?? sha256(`${session.session_id} ${chunks} ${intents}`);
  // It has a user's words, whether or not they were counted.
  return { id, payload: { ...payload, outcome: session.intents > 0 ? 'discussed' : 'empty', content_hash } };
}

function newSession({ session_id, repo_id, repo_name }: LegacyPoint): LegacySession {
  return {
    session_id,
    repo_id,
    repo_name,
    repo_path: null,
    machine: null,
    timestamp: null,
    content_hash: null,
    chunks: 0,
    intents: 0,
    prompt: null,
    messages: null,
  };
}

function addChunk(session: LegacySession, { text }: LegacyPoint): void {
  session.chunks += 1;
  if (text === null) return;
  const { user, assistant } = countMarks(text);
  const before = session.messages ?? { user: 0, assistant: 0 };
  session.messages = { user: before.user + user, assistant: before.assistant + assistant };
}

function addIntent(session: LegacySession, point: LegacyPoint): void {
  session.intents += 1;
  session.repo_path ??= point.repo_path;
  session.machine ??= point.machine;
  session.timestamp ??= point.timestamp === null ? null : isoTime(point.timestamp);
  session.content_hash ??= point.content_hash;
  if (point.chunk_index === 0) session.prompt = point.text;
}
