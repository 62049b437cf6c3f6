import * as z from 'zod';
import type { SessionLocation } from '../app/sessions/locate-session.ts';
import { toSessionCard } from '../app/sessions/session-card.ts';
import { AGENTS } from '../domain/agent/agents.ts';
import type { SessionPayload } from '../domain/point/point.ts';

/** Fields shared by several tools. */

export const sessionId = z.string().trim().min(4).max(200).describe('session id or unique prefix');

/** Filters are called as their callers, who are agents themselves, call them. */
export const FILTER_NAMES: Record<string, string> = { agent: 'agent_type', repo: 'project_path' };

export const FILTER_WORDS: Record<string, string> = {
  repo: 'absolute path of a project, clones included',
  since: 'a date, or an age (3d)',
  until: 'a date, or an age',
  file: 'changed this path, or end of one',
};

/** Filters that only list_sessions lists. */
export const RARE_FILTERS = ['machine', 'branch', 'starred', 'noted', 'lang', 'has_code', 'marker'] as const;

/** Schemas that are narrower than those of the fields. */
export const filterSchemas: Record<string, z.ZodType> = {
  repo: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path'),
  scope: z.enum(['project', 'all']).describe('project: project_path, or this project'),
};

/** What a model looks for in a session's card, which has more fields. Tools say `agent_type`, because their callers are agents. */
export const cardFields = {
  session_id: z.string(),
  agent_type: z.enum(AGENTS),
  title: z.string(),
  repo_name: z.string(),
  branch: z.string().nullable(),
  ended_at: z.string().nullable(),
  message_count: z.number(),
  outcome: z.string(),
  local: z.boolean().describe('its transcript is on this machine'),
  tags: z.array(z.string()),
};

export function cardOf(session: SessionPayload, location: SessionLocation) {
  const { agent, ...card } = toSessionCard(session, location);
  return { agent_type: agent, ...card };
}

export const fallbackSessions = z.array(
  z.looseObject({ session_id: z.string(), title: z.string(), last_modified: z.string() }),
);
