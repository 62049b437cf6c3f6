import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { readMarks } from '../../domain/tags/marks.ts';
import type { SessionLocation } from './locate-session.ts';

/** A session as shown in lists. */
export function toSessionCard(
  session: SessionPayload,
  { transcript, restorable, gone }: SessionLocation,
): SessionCard {
  return {
    session_id: session.session_id,
    agent: session.agent,
    title: session.title,
    repo_name: session.repo_name,
    branch: session.branch,
    machine: session.machine,
    started_at: session.started_at,
    ended_at: session.ended_at,
    message_count: session.message_count,
    local: transcript !== null,
    restorable,
    gone: gone || undefined,
    outcome: session.outcome,
    markers: session.markers,
    ...readMarks(session.tags),
    parent_session_id: session.parent?.session_id ?? null,
  };
}
