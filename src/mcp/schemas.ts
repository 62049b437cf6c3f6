import * as z from 'zod';
import type { SessionLocation } from '../app/sessions/locate-session.ts';
import { toSessionCard } from '../app/sessions/session-card.ts';
import { AGENTS } from '../domain/agent/agents.ts';
import { sessionCardShape } from '../domain/json/session.ts';
import type { SessionPayload } from '../domain/point/point.ts';

/** Fields shared by several tools. */

export const sessionId = z.string().trim().min(4).max(200).describe('session id or unique prefix');

/** Filters are called as their callers, who are agents themselves, call them. */
export const FILTER_NAMES: Record<string, string> = { agent: 'agent_type', repo: 'project_path' };

export const FILTER_WORDS: Record<string, string> = {
  agent: 'only sessions of this agent; default: all',
  repo: 'absolute path of a project; includes its clones, on other machines too',
  since: 'only sessions active since a date (2026-03-01), or an age (3d, "2 weeks")',
  until: 'only sessions started no later than a date, or an age',
  file: 'changed this file: a path, or the end of one',
  marker: 'contains this memory marker',
};

/** Schemas that are narrower than those of the fields. */
export const filterSchemas: Record<string, z.ZodType> = {
  repo: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path'),
  scope: z
    .enum(['project', 'all'])
    .describe('project: only sessions of project_path, or of the project this server was started in'),
};

export const warnings = z.array(z.string());

const { session_id, agent, ...card } = sessionCardShape;

/** A session as shown in lists. Tools say `agent_type`, because their callers are agents themselves. */
export const cardFields = { session_id, agent_type: agent, ...card };

export function cardOf(session: SessionPayload, location: SessionLocation) {
  const { agent, ...card } = toSessionCard(session, location);
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
