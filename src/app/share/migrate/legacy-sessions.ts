import { AGENTS } from '../../../domain/agent/agents.ts';
import type { Point, SessionPayload } from '../../../domain/point/point.ts';
import { type SessionIdentity, sessionPoint } from '../../../domain/point/session-points.ts';
import { emptyDraft } from '../../../domain/session/draft.ts';
import { titleOf } from '../../../domain/session/title-line.ts';
import { sha256 } from '../../../domain/text/hash.ts';
import { isoTime } from '../../../domain/text/time-text.ts';
import type { LegacyCollection, LegacyPoint } from '../../../ports/remote-store.ts';

/** A session as described by the Python program's points. */
export interface LegacySession
  extends Pick<
    LegacyPoint,
    'session_id' | 'repo_id' | 'repo_name' | 'repo_path' | 'machine' | 'timestamp' | 'content_hash'
  > {
  chunks: number;
  intents: number;
}

/** All sessions, newest first. */
export async function listLegacySessions(legacy: LegacyCollection): Promise<LegacySession[]> {
  const sessions = new Map<string, LegacySession>();
  for await (const page of legacy.points({ texts: false }))
    for (const point of page) {
      const session = sessions.get(point.session_id) ?? newSession(point);
      sessions.set(point.session_id, session);
      if (point.type === 'chunk') session.chunks += 1;
      else addIntent(session, point);
    }
  return [...sessions.values()].sort(newestFirst);
}

export function identityOf(session: LegacySession): SessionIdentity {
  return {
    session_id: session.session_id,
    agent: AGENTS[0],
    machine: session.machine ?? 'unknown',
    repo_id: session.repo_id,
    repo_key: null,
    repo_name: session.repo_name,
    repo_path: session.repo_path ?? '',
  };
}

/** The session's record, with empty values for unknown fields. */
export function recordOf(
  session: LegacySession,
  known: {
    prompt: string | null;
    messages: { user: number; assistant: number };
    chunks: number;
    intents: number;
  },
): Point<SessionPayload> {
  const empty = emptyDraft();
  const draft = {
    ...empty,
    titles: { ...empty.titles, prompt: titleOf(known.prompt ?? '') || null },
    workingDirectory: session.repo_path,
    startedAt: session.timestamp,
    endedAt: session.timestamp,
    userMessages: known.messages.user,
    assistantMessages: known.messages.assistant,
  };
  const { chunks, intents } = known;
  const facts = { draft, markers: [], tags: [], path: '', bytes: 0, lines: 0, chunks, intents, parts: [] };
  const { id, payload } = sessionPoint(identityOf(session), facts);
  const content_hash = session.content_hash ?? sha256(`${session.session_id} ${chunks} ${intents}`);
  return { id, payload: { ...payload, outcome: session.intents > 0 ? 'discussed' : 'empty', content_hash } };
}

function newestFirst(a: LegacySession, b: LegacySession): number {
  const [one, other] = [a.timestamp ?? '', b.timestamp ?? ''];
  if (one !== other) return one < other ? 1 : -1;
  return a.session_id < b.session_id ? 1 : -1;
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
  };
}

function addIntent(session: LegacySession, point: LegacyPoint): void {
  session.intents += 1;
  session.repo_path ??= point.repo_path;
  session.machine ??= point.machine;
  session.timestamp ??= point.timestamp === null ? null : isoTime(point.timestamp);
  session.content_hash ??= point.content_hash;
}
