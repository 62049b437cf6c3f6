import type { z } from 'zod';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { sessionCard } from '../schemas.ts';

type Card = z.infer<z.ZodObject<typeof sessionCard>>;

export function toSessionCard(session: SessionPayload & { local: boolean; restorable: boolean }): Card {
  return {
    session_id: session.session_id,
    agent_type: session.agent,
    title: session.title,
    repo_name: session.repo_name,
    branch: session.branch,
    machine: session.machine,
    started_at: session.started_at,
    ended_at: session.ended_at,
    message_count: session.message_count,
    local: session.local,
    restorable: session.restorable,
    outcome: session.outcome,
    markers: session.markers,
    tags: session.tags,
    parent_session_id: session.parent?.session_id ?? null,
  };
}
