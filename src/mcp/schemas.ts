import * as z from 'zod';
import type { SessionLocation } from '../app/sessions/locate-session.ts';
import { sessionCard as toCard } from '../app/sessions/session-card.ts';
import { sessionCardShape } from '../domain/json/session.ts';
import type { SessionPayload } from '../domain/point/point.ts';
import { AGENTS } from '../domain/session/session.ts';

/** Fields shared by several tools. */

export const sessionId = z.string().trim().min(4).max(200).describe('session id or unique prefix');

const agentType = z.enum(AGENTS).describe('only sessions of this agent; default: both');

const projectPath = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path')
  .describe('absolute path of a project; includes its clones, on other machines too');

const scope = z
  .enum(['project', 'all'])
  .describe('project: only sessions of project_path, or of the project this server was started in');

const since = z
  .string()
  .min(1)
  .max(60)
  .describe('only sessions active since a date (2026-03-01), or an age (3d, "2 weeks")');

export const until = z
  .string()
  .min(1)
  .max(60)
  .describe('only sessions started no later than a date, or an age');

export const filters = {
  agent_type: agentType.optional(),
  project_path: projectPath.optional(),
  scope: scope.optional(),
  since: since.optional(),
  until: until.optional(),
};

export const warnings = z.array(z.string());

const { session_id, agent, ...card } = sessionCardShape;

/** A session as shown in lists. Tools say `agent_type`, because their callers are agents themselves. */
export const sessionCard = { session_id, agent_type: agent, ...card };

export function cardOf(session: SessionPayload, location: SessionLocation) {
  const { agent, ...card } = toCard(session, location);
  return { agent_type: agent, ...card };
}

export const fallbackSessions = z.array(
  z.object({
    session_id: z.string(),
    project_path: z.string(),
    last_modified: z.string(),
    agent_type: z.enum(AGENTS),
    title: z.string(),
    jsonl_path: z.string(),
  }),
);
